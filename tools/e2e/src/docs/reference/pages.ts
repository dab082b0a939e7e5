import {
  caps,
  errorTexts,
  incomingWebhooksPerChannelMax,
  pushSubscriptionsMax,
  webhooksPerServerMax,
} from "@parley/contracts";
import { connectionText, type DescribedFrame, type GatewayDescription } from "@parley/contracts/gateway-description";
import { type ApiDescription, endpointPages, fileOfTag } from "./endpoints.js";
import { cell, exampleOf, fields, Schema } from "./schema.js";

/** Every page of docs/reference, by its path below it. */
export function referencePages(api: ApiDescription, gateway: GatewayDescription): Map<string, string> {
  const endpoints = [...endpointPages(api)].map(([file, text]) => [`endpoints/${file}`, text] as const);
  const pages = [
    ["README.md", contents(api)],
    ["objects.md", objectsPage(api)],
    ["events.md", eventsPage(gateway)],
    ["errors.md", errorsPage(api)],
    ["caps.md", capsPage()],
    ...endpoints,
  ] as const;
  return new Map(pages.map(([file, text]) => [file, `${note}\n\n${text}\n`]));
}

const note = "<!-- Made from the declarations: UPDATE_REFERENCE=1 npx vitest run --project docs reference -->";

const contents = ({ tags, paths }: ApiDescription) =>
  [
    "# Reference",
    "Made from the declarations of the code, so it is what the services do. The rules that no declaration states are in\n[the protocol](../protocol/README.md).",
    "- [Objects](objects.md) of answers, with an example of each\n- [Events](events.md) of the gateway, and what clients send to it\n- [Errors](errors.md) by code\n- [Caps](caps.md): the number of things that an account or a server may have\n- [Settings](../settings.md) of the services",
    "| Endpoints | | Number |\n|---|---|---|",
  ].join("\n\n") +
  tags
    .map(({ name, description }) => {
      const own = Object.values(paths).flatMap((methods) =>
        Object.values(methods).filter(({ tags: [tag] }) => tag === name),
      );
      return `\n| [${name}](endpoints/${fileOfTag(name)}) | ${description} | ${own.length} |`;
    })
    .join("");

function objectsPage({ components: { schemas } }: ApiDescription): string {
  const sections = Object.entries(schemas)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, schema]) => {
      const example = JSON.stringify(exampleOf(schema, schemas, false), null, 2);
      return [
        `## ${name}`,
        ...(schema.description === undefined ? [] : [schema.description]),
        fields(schema, ""),
        `<details><summary>Example</summary>\n\n\`\`\`json\n${example}\n\`\`\`\n\n</details>`,
      ].join("\n\n");
    });
  return [
    "# Objects",
    "A field with `?` may be absent. A timestamp is ISO 8601 in UTC with milliseconds.",
    ...sections,
  ].join("\n\n");
}

function eventsPage({ frames, query, shared }: GatewayDescription): string {
  const section = ({ name, summary, delivery, schema, examples }: DescribedFrame) => {
    const payload = Schema.parse(schema.properties?.d ?? {});
    return [
      `### ${name}`,
      delivery === null ? summary : `${summary} ${delivery}`,
      ...(schema.properties?.d === undefined ? [] : [fields(payload, "")]),
      ...examples.map((example) => `\`\`\`json\n${JSON.stringify(example)}\n\`\`\``),
    ].join("\n\n");
  };
  const objects = Object.entries(shared).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return [
    "# Events and other frames of the gateway",
    connectionText,
    "## Query of the connection",
    fields(Schema.parse(query), ""),
    "## Sent by clients",
    ...frames.filter(({ from }) => from === "client").map((frame) => section({ ...frame, name: `Op ${frame.name}` })),
    "## Sent by the gateway",
    ...frames.filter(({ from }) => from === "gateway").map(section),
    "## Objects of events",
    ...objects.map(([name, schema]) => `### ${name}\n\n${fields(Schema.parse(schema), "")}`),
  ].join("\n\n");
}

function errorsPage({ paths, tags }: ApiDescription): string {
  const statuses = new Map<string, Set<string>>();
  const places = new Map<string, Set<string>>();
  const add = (map: Map<string, Set<string>>, key: string, value: string) =>
    map.set(key, (map.get(key) ?? new Set()).add(value));
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, { description = "" }] of Object.entries(operation.responses)) {
      for (const [, code = ""] of description.matchAll(/` \(`(\w+)`\)/g)) {
        add(statuses, code, status);
        add(places, code, operation.tags[0]);
      }
    }
  }
  const rows = Object.entries(errorTexts)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([code, text]) => {
      const own = tags.flatMap(({ name }) =>
        places.get(code)?.has(name) ? [`[${name}](endpoints/${fileOfTag(name)})`] : [],
      );
      // Most groups: every endpoint may answer so.
      const where = own.length > tags.length / 2 ? "many" : own.join(", ");
      return `| \`${code}\` | ${[...(statuses.get(code) ?? [])].join(" ")} | ${cell(textOf(text))} | ${where} |`;
    });
  return [
    "# Errors",
    "The text is in `error` and in `message`, the code in `code`. Codes are stable: programs compare them, and people read the\ntext. Every endpoint may also answer 401 `invalid_token`, 403 `second_factor_set_up_first`, 429 `rate_limited`, 500 and 503. A row without a status belongs to\nanswers that no endpoint declares: frames of the gateway, answers to bots, and requests that cannot be read.",
    ["| Code | Status | Text | Endpoints |", "|---|---|---|---|", ...rows].join("\n"),
  ].join("\n\n");
}

/** The text; of one with a value in it, the name of the value stands in its place. */
function textOf(text: string | ((value: never) => string)): string {
  if (typeof text === "string") return text;
  const [, name = "value"] = /^\(?(\w+)/.exec(text.toString()) ?? [];
  return String(Reflect.apply(text, undefined, [`<${name}>`]));
}

function capsPage(): string {
  const words = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const rows = [
    ...Object.entries(caps).map(
      ([name, { max, things }]) => [words(name), max, `\`Limit of ${max} ${things} reached\``] as const,
    ),
    ["push subscriptions of an account", pushSubscriptionsMax, "none: the one that was unused longest goes"],
    ["webhooks of a server", webhooksPerServerMax, `\`${errorTexts.webhooks_limit_reached(webhooksPerServerMax)}\``],
    [
      "incoming webhooks of a channel",
      incomingWebhooksPerChannelMax,
      `\`${errorTexts.incoming_webhooks_limit_reached(incomingWebhooksPerChannelMax)}\``,
    ],
  ] as const;
  return [
    "# Caps",
    "The number of things that an account, a server, a channel or a message may have, and the text of the 400 beyond it. The rules\nof counting are in [rates and limits](../protocol/limits.md#16.3).",
    ["| Things | At most | Answer |", "|---|---|---|", ...rows.map((row) => `| ${row.join(" | ")} |`)].join("\n"),
  ].join("\n\n");
}
