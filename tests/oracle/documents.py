#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# `bale batch --format documents` as datatrove's own reader takes it: the text
# of each document is that of the file, and all files that git knows are there.
#
#   tests/oracle/documents.py [REPOSITORY...]
#
# Without datatrove (pip install datatrove orjson zstandard) it is skipped.
import json
import logging
import os
import subprocess
import sys
import tempfile

BALE = os.path.join(os.getcwd(), os.environ.get(
    'BALE', os.path.join(os.environ.get('BUILD', 'build'),
                         os.environ.get('MODE', 'release'), 'bale')))
try:
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.utils.stats import PipelineStats
except ImportError:
    sys.exit(77)


def check(read, repositories):
    """How many documents there are; whatever is wrong is said."""
    seen = set()
    texts = {}
    for document in read:
        if document.id in seen:
            raise ValueError('twice: ' + document.id)
        seen.add(document.id)
        source = document.metadata['source']
        path = os.path.join(source, document.metadata['path'])
        with open(path, 'rb') as file:
            data = file.read()
        texts.setdefault(source, set()).add(data)
        # of another charset, or cut short
        if 'from' in document.metadata:
            continue
        if document.text.encode() != data:
            raise ValueError('not its text: ' + path)
    for repository in repositories:
        for name in subprocess.run(
                ['bash', '-c', f'"{BALE}" preview "{repository}" --budget all '
                 '--secrets off --no-default-excludes -q --paths root'],
                check=True, stdout=subprocess.PIPE).stdout.split(b'\n'):
            words = name.split(b'\t')
            if len(words) < 3 or words[1] != b'packed':
                continue
            path = os.path.join(repository.encode(),
                                words[2].rsplit(b':', 1)[0])
            with open(path, 'rb') as file:
                if file.read() not in texts[repository]:
                    raise ValueError('missing: ' + os.fsdecode(path))
    return len(seen)


def check_stats(out):
    """Whether datatrove reads the sums of a batch, and adds them up."""
    with open(os.path.join(out, 'stats.json'), encoding='utf-8') as file:
        stats = PipelineStats.from_json(json.load(file))
    with open(os.path.join(out, 'manifest.jsonl'), encoding='utf-8') as file:
        lines = [json.loads(line) for line in file]
    twice = (stats + stats).stats[0]
    sums = {'lines': len(lines)}
    for name in ('files', 'tokens', 'bytes'):
        sums[name] = sum(line[name] for line in lines)
    for name, value in sums.items():
        if twice.stats[name].total != 2 * value:
            raise ValueError('not the sum of ' + name)
    if twice.stats['peak_bytes'].max != max(
            line['peak_bytes'] for line in lines):
        raise ValueError('not the most memory')
    seconds = sum(line['seconds'] for line in lines)
    if abs(twice.time_stats.total - 2 * seconds) > 1e-6:
        raise ValueError('not the time')
    return len(sums)


def main():
    logging.disable(logging.CRITICAL)
    repositories = [os.path.abspath(r) for r in sys.argv[1:]] or ['docs']
    repositories = [os.path.abspath(r) for r in repositories]
    with tempfile.TemporaryDirectory() as work:
        names = os.path.join(work, 'list')
        with open(names, 'w', encoding='utf-8') as file:
            file.write('\n'.join(repositories) + '\n')
        # plain, and compressed as fsspec tells by the names
        for options, pattern in (([], '*-*.jsonl'),
                                 (['--zstd'], '*-*.jsonl.zst')):
            out = os.path.join(work, 'out' + '-'.join(options))
            subprocess.run(
                [BALE, 'batch', names, '-d', out, '--format', 'documents',
                 '-q', '--budget', 'all', '--secrets', 'off', '--no-config',
                 '--no-default-excludes', *options], check=True)
            reader = JsonlReader(out, glob_pattern=pattern)
            print('ok -', check((d for d in reader()
                                 if 'path' in d.metadata), repositories),
                  'documents of', len(repositories),
                  'trees, read by datatrove', *options)
            subprocess.run(
                [BALE, 'batch', names, '-d', out, '--shard', '0/1', '-q',
                 '--format', 'documents', '--budget', 'all', '--secrets',
                 'off', '--no-config', '--no-default-excludes', *options],
                check=True)
            print('ok -', check_stats(out), 'sums, added up by datatrove')


main()
