// SPDX-License-Identifier: MIT
//
// Templates of random tags over random values: bale's language against
// mustache.js, which shares nothing with it. Both refuse, or both give the
// same text.
'use strict';
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const [modules, rounds, seed, spec] = process.argv.slice(2);
const mustache = require(path.resolve(modules, 'node_modules/mustache'));

let state = BigInt(seed) * 0x9e3779b97f4a7c15n + 1n;
function random(n) {
  state = (state * 6364136223846793005n + 1442695040888963407n) &
    0xffffffffffffffffn;
  return Number((state >> 33n) % BigInt(n));
}
const pick = (list) => list[random(list.length)];
// What the specification leaves open is not asked for: lists as texts, and
// names of two parts whose first is there, but not what is asked of it.
const values = ['a', 'b.a', 'c.a', '.', 'none'];
const sections = ['a', 'b', 'c', 'list', '.', 'none'];

function leaf() {
  return pick([null, 7, 1 + random(1000), '', 'x', '<&">', 'two\nlines\n', '{{a}}', 'ü😀']);
}
function object(depth) {
  const made = { a: leaf() };
  if (random(3) > 0) {
    made.list = Array.from({ length: random(4) },
      () => (depth < 3 && random(2) ? object(depth + 1) : leaf() ?? ''));
  }
  if (depth < 4) made.b = object(depth + 1);
  if (depth < 4) made.c = object(depth + 1);
  return made;
}

const blank = () => pick(['', '', ' ', '  ', '\t']);
// a line has one tag that writes nothing, or text: of lines that have several
// and nothing else the specification says nothing, and both differ
const end = () => pick(['x', ' y', '\n', '\n', '\r\n']);
function text() {
  return pick(['', 'text', ' ', '\n', 'a line\n', '  ', '| ', '\r\n']);
}
function template(depth, open, close) {
  let made = '';
  for (let i = random(6); i >= 0; i--) {
    const tag = (type, name = pick(values)) => blank() + open + type + blank() + name + blank() +
      close + end();
    switch (random(8)) {
      case 0: case 1: made += text(); break;
      case 2: made += tag(''); break;
      case 3: made += tag('&'); break;
      case 4: made += tag('!'); break;
      case 5: if (open === '{{') made += `{{{${blank()}${pick(values)}${blank()}}}}`; break;
      default:
        if (depth < 4) {
          const name = pick(sections);
          made += tag(pick(['#', '^']), name) +
            template(depth + 1, open, close) + tag('/', name);
        }
    }
  }
  return made;
}
function whole() {
  const made = template(0, '{{', '}}');
  if (random(5) > 0) return made;
  return made + blank() + '{{=<% %>=}}' + end() + template(0, '<%', '%>') +
    '<%={{ }}=%>' + end() + template(0, '{{', '}}');
}

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (s) => String(s).replace(/[&<>"']/g, (c) => escapes[c]);
// bale has no text for what is no text: true, false, lists, objects
function comparable(s) {
  return !/true|false|object Object|,/.test(s);
}

function jobs() {
  const made = [];
  for (let i = 0; i < Number(rounds); i++) {
    const job = { template: whole(), data: object(0) };
    mustache.clearCache();
    try {
      job.want = mustache.render(job.template, job.data, undefined, { escape });
    } catch {
      job.want = null;
    }
    if (job.want === null || comparable(job.want)) made.push(job);
  }
  if (!spec) return made;
  for (const file of ['comments', 'delimiters', 'interpolation', 'inverted', 'sections']) {
    const cases = JSON.parse(fs.readFileSync(path.join(spec, `${file}.json`)));
    for (const one of cases.tests) {
      if (one.partials) continue; // there are none
      made.push({ template: one.template, data: one.data, want: one.expected });
    }
  }
  return made;
}

const all = jobs();
const input = all.map(({ template, data }) => JSON.stringify({ template, data })).join('\n') + '\n';
const got = execFileSync(path.resolve(modules, 'template_render'),
  { input, maxBuffer: 1 << 30 }).toString().trimEnd().split('\n').map((s) => JSON.parse(s));
let differ = 0;
all.map((job, i) => [job, got[i]]).sort((a, b) => a[0].template.length - b[0].template.length).forEach(([job, made]) => {
  if (made === job.want) return;
  if (++differ <= 5) {
    console.log(JSON.stringify({ ...job, got: made }));
  }
});
console.log(`${all.length} templates, ${differ} differ`);
process.exit(differ === 0 && got.length === all.length ? 0 : 1);
