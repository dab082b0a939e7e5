import { type PermissionName, permissionBits } from "@parley/contracts";
import type { GatewayDescription } from "@parley/contracts/gateway-description";
import { escapeHtml, page } from "../../platform/http/html.js";
import type { RateLimitSizes, RequestRate } from "../../platform/http/rate-limits.js";
import type { Route } from "../../platform/http/route.js";
import { frameAddress } from "./gateway-page.js";
import { operationList } from "./rest-page.js";
import { headingList, type WrittenPages } from "./written-pages.js";

/** The sources of the first page. */
export interface StartPageParts {
  routes: readonly Route[];
  gateway: GatewayDescription;
  written: WrittenPages;
  limits: RateLimitSizes;
}

/** The first page for developers: an index, the needs of every program, and a search over all pages. */
export function startPage({ routes, gateway, written, limits }: StartPageParts): string {
  const frames = gateway.frames.map(
    (frame) => `<li><a href="docs/gateway#${frameAddress(frame)}">${frame.name}</a> ${escapeHtml(frame.summary)}</li>`,
  );
  const topics = Object.entries(written).flatMap(([address, topic]) =>
    address.startsWith("protocol/") ? [headingList(`docs/${address}`, topic)] : [],
  );
  const body = `<main>
<h1>Parley for developers</h1>
<p>Parley is a server for the chat of communities. Programs read and write through its REST API and get events in real time from its gateway, a WebSocket. A bot is an account for a program: it has a token instead of a password, and otherwise joins servers and holds roles as people do.</p>
<ul class="cards">
<li><a href="docs/bots">Bots</a> from nothing to a bot that answers, in five minutes</li>
<li><a href="docs/client">Client library</a> for Node.js and browsers, with types; its package is <a href="docs/parley-client.tgz">on this server</a></li>
<li><a href="docs/rest">REST API</a> every endpoint, to be tried in the browser; as <a href="docs/openapi.yaml">OpenAPI 3.0</a></li>
<li><a href="docs/gateway">Gateway</a> the WebSocket for events in real time; as <a href="docs/asyncapi.yaml">AsyncAPI 3.0</a></li>
<li><a href="docs/protocol">Protocol</a> the rules of the wire, by topic; <a href="docs/reference/errors">errors</a> and <a href="docs/reference/caps">caps</a>; <a href="docs/protocol/versions">what may change</a></li>
</ul>
<nav aria-label="Sections"><a href="#client">Client</a> · <a href="#permissions">Permissions</a> · <a href="#webhooks">Webhooks</a> · <a href="#limits">Rate limits</a> · <a href="#errors">Errors</a> · <a href="#find">Find</a></nav>
${clientSection}
${permissionsSection()}
${webhooksSection}
${limitsSection(limits)}
${errorsSection}
<div class="find">
<h2 id="find">Find</h2>
<label>Find an operation, an event or a section <input id="filter" type="search" autocomplete="off"></label>
${headingList("docs/bots", written.bots)}
${headingList("docs/client", written.client)}
${operationList(routes, "docs/rest")}
<section><h3>Gateway</h3><ul>${frames.join("\n")}</ul></section>
${topics.join("\n")}
</div>
</main>`;
  return page({ title: "Parley for developers", folder: "docs/", scripts: ["filter.js"], body });
}

const clientSection = `<h2 id="client">Client</h2>
<p>The package of the version that this server runs, without dependencies (below Node.js 22 it needs <code>ws</code> beside it):</p>
<pre>npm install <span class="origin">https://chat.example.com</span>/docs/parley-client.tgz</pre>
<p>A lockfile holds the hash of the package. After an upgrade of the server <code>npm ci</code> refuses the new one until it is installed again by the same command.</p>`;

const allowedBy: Readonly<Record<PermissionName, string>> = {
  VIEW_CHANNEL: "see a channel and everything in it",
  SEND_MESSAGES: "messages, replies in threads, polls, typing",
  MANAGE_MESSAGES: "pin and unpin; delete messages of others",
  ATTACH_FILES: "upload files",
  ADD_REACTIONS: "react to messages",
  CONNECT_VOICE: "join voice channels",
  SPEAK: "speak in them; clients heed it",
  MUTE_MEMBERS: "time members out, and end that",
  KICK_MEMBERS: "remove members",
  BAN_MEMBERS: "ban, unban, list bans",
  MANAGE_CHANNELS: "make, change and delete channels; overrides",
  MANAGE_ROLES: "make, change, delete and assign roles",
  MANAGE_SERVER: "add bots to the server",
  ADMINISTRATOR: "everything but what only the owner may do",
  CREATE_INVITES: "make invites",
};

function permissionsSection(): string {
  const rows = Object.entries(permissionBits).map(
    ([name, value]) => `<tr><td><code>${name}</code></td><td>${value}</td><td>${describe(name)}</td></tr>`,
  );
  return `<h2 id="permissions">Permissions</h2>
<p>Roles and channel overrides hold permissions as one number, the sum of these values: a role that may see channels and write has 3. How roles and overrides add up: <a href="docs/protocol/permissions#3.2">Effective permissions</a>.</p>
<table><thead><tr><th>Name</th><th>Value</th><th>Allows to</th></tr></thead><tbody>${rows.join("\n")}</tbody></table>`;
}

const describe = (name: string) => Object.entries(allowedBy).find(([known]) => known === name)?.[1] ?? "";

const webhooksSection = `<h2 id="webhooks">Webhooks</h2>
<p>A webhook sends messages of a server to an address, as they are written, changed and deleted (<code>message.created</code>, <code>message.updated</code>, <code>message.deleted</code>): a POST of <code>{"event", "server_id", "data"}</code>, repeated after 5 and after 15 seconds unless the answer is 2xx within 10 seconds. The secret comes with the answer that makes the webhook. Whoever receives a delivery checks one of two signatures over the bytes of the body as they came, before reading it as JSON:</p>
<table><thead><tr><th>Headers</th><th>Signature</th></tr></thead><tbody>
<tr><td><a href="https://www.standardwebhooks.com/">Standard Webhooks</a>: <code>webhook-id</code>, <code>webhook-timestamp</code> (Unix seconds), <code>webhook-signature</code></td><td><code>v1,</code> and the base64 of HMAC-SHA256 over <code>&lt;webhook-id&gt;.&lt;webhook-timestamp&gt;.&lt;body&gt;</code>. Refuse timestamps more than five minutes away: a recorded delivery cannot be sent again. Its libraries take the key as <code>whsec_</code> and the base64 of the secret's 64 characters. <code>webhook-id</code> is the same in every attempt of a delivery.</td></tr>
<tr><td><code>X-Service-Signature-256</code></td><td><code>sha256=</code> and the hexadecimal HMAC-SHA256 over the body, with the 64 characters of the secret as the key</td></tr>
</tbody></table>
<p>Everything else: <a href="docs/protocol/webhooks#13">Webhooks</a> of the protocol.</p>`;

function limitsSection({ rest, auth, bot }: RateLimitSizes): string {
  const row = (what: string, { ratePerSecond, burst }: RequestRate) =>
    `<tr><td>${what}</td><td>${ratePerSecond} per second, ${burst} at once</td></tr>`;
  return `<h2 id="limits">Rate limits</h2>
<table><thead><tr><th>Requests</th><th>On this server</th></tr></thead><tbody>
${row("of an address", rest)}
${row("of an address below <code>/auth/</code>", auth)}
${row("of a bot", bot)}
</tbody></table>
<p>Every counted answer has <code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code> and <code>X-RateLimit-Reset</code> (Unix seconds, when the limit is whole again). Over the limit: 429; wait <code>Retry-After</code> seconds, or, where it is absent as for bots, until there is something left. More: <a href="docs/protocol/limits#1.6">Rate limits</a>, and <a href="docs/protocol/limits#16">all limits</a>.</p>`;
}

const errorsSection = `<h2 id="errors">Errors</h2>
<p>A JSON object with the reason in words, in <code>error</code> and <code>message</code> alike, and for programs in <code>code</code>, which is stable. <code>X-Request-Id</code> of the answer names the request in the logs of the server.</p>
<table><thead><tr><th>Status</th><th>Meaning</th></tr></thead><tbody>
<tr><td>400</td><td>input against a rule, which the text names, or a state that forbids the request</td></tr>
<tr><td>401</td><td>credentials that are missing, wrong or expired</td></tr>
<tr><td>403</td><td>not allowed</td></tr>
<tr><td>404</td><td>missing, or not visible to whoever asks</td></tr>
<tr><td>409</td><td>a conflict, such as a name that is taken</td></tr>
<tr><td>429</td><td>over a rate limit</td></tr>
<tr><td>500, 502, 503, 504</td><td>a failure of the server: repeat what may be repeated, messages with a <a href="docs/protocol/repetition#21">nonce</a></td></tr>
</tbody></table>
<p>The order in which a request is checked, and more: <a href="docs/protocol/requests#1.4">Errors</a>.</p>`;
