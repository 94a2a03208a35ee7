// SPDX-License-Identifier: MIT
/*
 * The official TypeScript clients against `bale mcp`: the SDK of the legacy
 * versions, and the client package in both eras.
 *
 * mcp_client.mjs BALE ROOT
 */
import { Client as Legacy } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyTransport } from
	"@modelcontextprotocol/sdk/client/stdio.js";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [, , bale, root] = process.argv;
let failed = 0;

function check(who, what, isSo)
{
	failed += !isSo;
	console.log(`${isSo ? "ok" : "not ok"} - ${who}: ${what}`);
}

const textOf = (result) => result.content.map((each) => each.text).join("");

async function session(who, client, transport)
{
	await client.connect(transport);
	check(who, "connects", client.getServerVersion()?.name === "bale");
	const { tools } = await client.listTools();
	check(who, "lists 5 tools", tools.map((tool) => tool.name).join() ===
		"pack,find,read,page,count");
	const found = await client.callTool({
		name: "find", arguments: { query: "read a line" } });
	check(who, "find: structuredContent by its schema",
		found.structuredContent.places.length > 0);
	const place = found.structuredContent.places[0];
	const read = await client.callTool({ name: "read", arguments: {
		path: place.path, lines: place.lines } });
	check(who, "read: the place", textOf(read).includes(place.path));
	const pack = await client.callTool({ name: "pack", arguments: {
		budget: 20000, max_tokens: 2000 } });
	const cursor = textOf(pack).split('pack "')[1].split('"')[0];
	check(who, "pack: a first page", textOf(pack).includes("bytes 0-"));
	const page = await client.callTool({ name: "page", arguments: {
		pack: cursor } });
	check(who, "page: goes on", textOf(page).includes("bytes "));
	const { resources } = await client.listResources();
	check(who, "resources: the pack", resources.length === 1);
	const text = await client.readResource({ uri: resources[0].uri });
	check(who, "resources: its text", text.contents[0].text.length > 1000);
	const templates = await client.listResourceTemplates();
	check(who, "resources: a template",
		templates.resourceTemplates.length === 1);
	const code = await client.readResource({
		uri: "bale://pack/00000000" }).catch((error) => error.code);
	check(who, "resources: one that is not there is an error",
		code === -32002 || code === -32602);
	const { prompts } = await client.listPrompts();
	check(who, "prompts: two", prompts.length === 2);
	const prompt = await client.getPrompt({ name: "task", arguments: {
		task: "a bug" } });
	check(who, "prompts: a message",
		prompt.messages[0].content.text.includes("a bug"));
	const wrong = await client.callTool({ name: "read", arguments: {
		path: "/etc/passwd" } });
	check(who, "a tool that fails says so", wrong.isError === true);
	const calls = await Promise.all(Array.from({ length: 20 }, () =>
		client.callTool({ name: "count", arguments: {} })));
	check(who, "20 calls at once", new Set(calls.map((call) =>
		call.structuredContent.tokens)).size === 1);
	await client.close();
}

const me = { name: "bale-oracle", version: "1" };
const server = { command: bale, args: ["mcp", "--root", root] };

await session("TypeScript SDK, legacy", new Legacy(me),
	new LegacyTransport(server));
for (const mode of ["legacy", "auto", { pin: "2026-07-28" }])
	await session(`TypeScript client, ${mode.pin ?? mode}`,
		new Client(me, { versionNegotiation: { mode } }),
		new StdioClientTransport(server));
process.exit(failed > 0 ? 1 : 0);
