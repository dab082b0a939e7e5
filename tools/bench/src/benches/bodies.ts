import { readFile } from "node:fs/promises";
import { z } from "zod";
import { bench } from "../bench.js";
import { reportHead, reportRow } from "../measure.js";
import { type Hold, measureHold } from "../parsers/holds.js";
import { exchange, type HostileInput, requestBytes } from "../parsers/hostile-input.js";
import { type BodySchema, hostileJson } from "../parsers/hostile-json.js";
import { type ParserWorld, startParserWorld } from "../parsers/world.js";

/** Only so much of a form is sent: the api reads the rest in the same way. */
const formBytes = 8 * 1024 * 1024;
const boundary = "bench";

const Description = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        description: z.string().optional(),
        security: z.array(z.record(z.string(), z.unknown())),
        requestBody: z
          .object({ content: z.record(z.string(), z.object({ schema: z.custom<BodySchema>() })) })
          .optional(),
        "x-body-bytes": z.record(z.string(), z.int()).optional(),
      }),
    ),
  ),
  components: z.object({ schemas: z.record(z.string(), z.custom<BodySchema>()) }),
});

/** One endpoint with one type of body that it reads. */
interface ReadBody {
  /** As `POST /servers/{id}`. */
  readonly route: string;
  readonly mediaType: string;
  readonly bytesMax: number;
  readonly schema: BodySchema;
}

/**
 * For every endpoint that reads a body, and each type of it: the largest one, and the longest time for which the worst
 * of several bodies of that size blocked the event loop of the real api. Prints the rows of the table in
 * docs/benchmarks.md. Words choose the routes that have one of them.
 */
export default bench({ sizes: { rounds: 5 }, quick: { rounds: 1 }, words: true }, async ({ rounds }, words) => {
  const file = new URL("../../../../packages/api-description/generated/openapi.json", import.meta.url);
  const { paths, components } = Description.parse(JSON.parse(await readFile(file, "utf8")));
  const world = await startParserWorld();
  reportHead(["Route", "Body", "Largest", "Held (ms)", "by"]);
  for (const read of readBodies(paths)) {
    if (words.length > 0 && !words.some((word) => read.route.includes(word))) continue;
    const holds: Hold[] = [];
    for (const input of inputsOf(world, read, components.schemas)) {
      holds.push(await measureHold(world, input, { rounds }));
    }
    const [worst] = holds.toSorted((a, b) => b.heldMs - a.heldMs);
    const [held, by] =
      worst === undefined ? ["–", "–"] : [worst.heldMs.toFixed(0), `${worst.input.input}, ${worst.answer}`];
    reportRow([read.route, nameOf(read.mediaType), sizeOf(read.bytesMax), held, by]);
  }
  await world.stop();
});

function readBodies(paths: z.output<typeof Description>["paths"]): ReadBody[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { description, requestBody, "x-body-bytes": bounds = {} }]) =>
      description?.startsWith("The same endpoint as ")
        ? []
        : Object.entries(bounds).map(([mediaType, bytesMax]) => ({
            ...{ route: `${method.toUpperCase()} ${path}`, mediaType, bytesMax },
            schema: requestBody?.content[mediaType]?.schema ?? {},
          })),
    ),
  );
}

/** As the table of docs/benchmarks.md has it. */
function nameOf(mediaType: string): string {
  const names: Record<string, string> = {
    "application/json": "JSON",
    "application/octet-stream": "bytes",
    "multipart/form-data": "multipart",
  };
  return names[mediaType] ?? "form";
}

function sizeOf(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes / 1024} KB` : `${bytes / 1024 / 1024} MB`;
}

function inputsOf(world: ParserWorld, read: ReadBody, schemas: Readonly<Record<string, BodySchema>>): HostileInput[] {
  const { services, headers, room } = world;
  const ids: Readonly<Record<string, string>> = { server: room.serverId, channel: room.channelId };
  const line = read.route.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name !== "id") return ids[name.replace(/_id$/, "")] ?? room.channelId;
    return read.route.includes("/servers/{id}") ? room.serverId : room.channelId;
  });
  const input = (name: string, type: string, body: string | Buffer): HostileInput => ({
    ...{ parser: read.route, input: name, service: "api", bytes: body.length },
    send: () => exchange(services.api, requestBytes(line, { ...headers, "content-type": type }, body)),
  });
  if (read.mediaType === "application/json")
    return hostileJson(read.schema, schemas, read.bytesMax).map(([name, body]) => input(name, read.mediaType, body));
  if (read.mediaType !== "multipart/form-data") {
    const filled = (unit: string) => unit.repeat(Math.floor(read.bytesMax / unit.length));
    return ["a&", "+%7B", "%zz"].map((unit) => input(`\`${unit}\``, read.mediaType, filled(unit)));
  }
  const bytes = Math.min(read.bytesMax, formBytes);
  const type = `${read.mediaType}; boundary=${boundary}`;
  const head = `--${boundary}\r\nContent-Disposition: form-data; name=image; filename=a\r\n\r\n`;
  const filled = (unit: string) => Buffer.concat([Buffer.from(head), Buffer.alloc(bytes - head.length, unit)]);
  return [
    input("beginnings of boundaries", type, filled("\r\n--benc")),
    input("line ends", type, filled("\r\n")),
    input("parts", type, Buffer.from(`${head}a\r\n`.repeat(Math.floor(bytes / (head.length + 3))))),
  ];
}
