# SPDX-License-Identifier: MIT
"""The official Python client against `bale mcp`, in both eras.

mcp_python.py BALE ROOT

Prints a line "ok - CLIENT: WHAT" or "not ok - ..." for each step.
"""
import asyncio
import sys

from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client

bale, root = sys.argv[1:3]
failed = 0


def check(era, what, is_so):
    global failed
    failed += not is_so
    print(f"{'ok' if is_so else 'not ok'} - {era}: {what}", flush=True)


def text_of(result):
    return "".join(block.text for block in result.content)


async def session(mode, *options):
    server = stdio_client(StdioServerParameters(
        command=bale, args=["mcp", "--root", root, *options]))
    async with Client(server, mode=mode, read_timeout_seconds=60) as client:
        era = " ".join(("Python client", mode, client.protocol_version,
                        *options))
        check(era, "connects", client.server_info is None or
              client.server_info.name == "bale")
        tools = (await client.list_tools()).tools
        check(era, "lists 5 tools", [tool.name for tool in tools] ==
              ["pack", "find", "read", "page", "count"])
        found = await client.call_tool("find", {"query": "read a line"})
        check(era, "find: structuredContent by its schema",
              found.structured_content["places"] and not found.is_error)
        place = found.structured_content["places"][0]
        read = await client.call_tool("read", {
            "path": place["path"], "lines": place["lines"]})
        check(era, "read: the place", place["path"] in text_of(read))
        steps = []

        async def progress(done, total, message):
            steps.append(done)

        pack = await client.call_tool(
            "pack", {"budget": 20000, "max_tokens": 2000},
            progress_callback=progress)
        if options:
            cursor = pack.structured_content["next"]
        else:
            cursor = text_of(pack).split('pack "')[1].split('"')[0]
        check(era, "pack: a first page", cursor.count("-") == 1)
        check(era, "progress grows", steps == sorted(set(steps)))
        page = await client.call_tool("page", {"pack": cursor})
        check(era, "page: goes on", not page.is_error and
              len(text_of(page)) > 1000)
        resources = (await client.list_resources()).resources
        check(era, "resources: the pack", len(resources) == 1)
        text = await client.read_resource(str(resources[0].uri))
        check(era, "resources: its text", len(text.contents[0].text) > 1000)
        templates = await client.list_resource_templates()
        check(era, "resources: a template",
              len(templates.resource_templates) == 1)
        try:
            await client.read_resource("bale://pack/00000000")
            code = None
        except MCPError as error:
            code = error.code if hasattr(error, "code") else error.error.code
        check(era, "resources: one that is not there is an error",
              code in (-32002, -32602))
        prompts = (await client.list_prompts()).prompts
        check(era, "prompts: two", [each.name for each in prompts] ==
              ["task", "overview"])
        prompt = await client.get_prompt("task", {"task": "a bug"})
        check(era, "prompts: a message", "a bug" in
              prompt.messages[0].content.text)
        wrong = await client.call_tool("read", {"path": "/etc/passwd"})
        check(era, "a tool that fails says so", wrong.is_error)
        calls = await asyncio.gather(*(
            client.call_tool("count", {}) for _ in range(20)))
        check(era, "20 calls at once", len({
            call.structured_content["tokens"] for call in calls}) == 1)


async def main():
    await session("legacy")
    await session("2026-07-28")
    await session("auto")
    await session("legacy", "--structured")


asyncio.run(main())
sys.exit(failed > 0)
