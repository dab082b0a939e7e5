import {
  connectionText,
  type DescribedFrame,
  type GatewayDescription,
  type JsonSchema,
  sharedSchemaPrefix,
} from "@parley/contracts/gateway-description";
import { escapeHtml, page } from "../../platform/http/html.js";

/** The description of the gateway as a page without scripts (docs/protocol/operators.md#22). */
export function gatewayPage({ frames, query, shared }: GatewayDescription): string {
  const events = frames.filter(({ from }) => from === "gateway");
  const ops = frames.filter(({ from }) => from === "client");
  const links = [...ops, ...events].map((frame) => `<a href="#${frameAddress(frame)}"><code>${frame.name}</code></a>`);
  const objects = Object.entries(shared).sort(([left], [right]) => left.localeCompare(right));
  const body = `<main>
<h1>Parley gateway</h1>
<p>The same for machines: <a href="asyncapi.yaml">AsyncAPI 3.0</a>. Beside it: the <a href="rest">REST API</a>.</p>
${markdown(connectionText)}
<nav class="contents" aria-label="Frames">${links.join(" ")}</nav>
<h2 id="query">Query of the connection</h2>
${fields(query)}
<h2 id="sent-by-clients">Sent by clients</h2>
${ops.map(section).join("\n")}
<h2 id="sent-by-the-gateway">Sent by the gateway</h2>
${events.map(section).join("\n")}
<h2 id="objects">Objects</h2>
${objects.map(([name, schema]) => object(name, schema)).join("\n")}
</main>`;
  return page({ title: "Parley gateway", body });
}

function section(frame: DescribedFrame): string {
  const payload = frame.schema.properties?.d;
  const examples = frame.examples.map((example) => `<pre>${escapeHtml(JSON.stringify(example, null, 2))}</pre>`);
  return `<h3 id="${frameAddress(frame)}"><code>${frame.name}</code></h3>
<p>${inline(frame.summary)}${frame.delivery === null ? "" : ` ${inline(frame.delivery)}`}</p>
${payload === undefined ? "" : fields(payload)}
${examples.join("\n")}`;
}

function object(name: string, schema: JsonSchema): string {
  const description = schema.description === undefined ? "" : `<p>${inline(schema.description)}</p>`;
  return `<h3 id="object-${name}">${name}</h3>\n${description}\n${fields(schema)}`;
}

/** The fields of an object as a table; one line for anything else. */
function fields(schema: JsonSchema): string {
  const { properties, required = [] } = schema;
  if (properties === undefined) {
    return Object.keys(schema).length === 0 ? "" : `<p><code>d</code>: ${typeOf(schema)}</p>`;
  }
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      `<tr><td><code>${name}</code>${required.includes(name) ? "" : " (optional)"}</td><td>${typeOf(field)}</td>` +
      `<td>${inline(field.description ?? "")}</td></tr>`,
  );
  return `<table><thead><tr><th>Field</th><th>Type</th><th></th></tr></thead><tbody>${rows.join("\n")}</tbody></table>`;
}

/** The type of a value in a few words. */
function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(sharedSchemaPrefix.length);
    return `<a href="#object-${name}">${name}</a>`;
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" or ");
  if ("const" in schema) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  if (schema.enum !== undefined) {
    return schema.enum.map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(" or ");
  }
  if (schema.type === "array") return `array of ${typeOf(schema.items ?? {})}`;
  if (schema.type === "object" && schema.additionalProperties !== undefined) {
    return `object: id to ${typeOf(schema.additionalProperties)}`;
  }
  const types = [schema.type ?? "any"].flat().join(" or ");
  return schema.format === undefined ? types : `${types} (${schema.format})`;
}

/** Where a frame is on the page. */
export const frameAddress = ({ from, name }: DescribedFrame) => `${from}-${name}`;

/** Bold and code of Markdown. */
function inline(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>");
}

function markdown(text: string): string {
  return text
    .split("\n\n")
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join("\n");
}
