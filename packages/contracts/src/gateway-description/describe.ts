import { z } from "zod";
import { ConnectQuery } from "../connect-query.js";
import { type ClientEventName, type EventDefinition, type EventPayload, events, isEventName } from "../events.js";
import { uuidExample } from "../resources/identifiers.js";
import { exampleOf } from "./example.js";
import { clientFrames, serverFrames } from "./frames.js";
import { type JsonSchema, toJsonSchemas } from "./json-schema.js";
import { answerTexts, audienceTexts, clientFrameTexts } from "./texts.js";

/** A frame of the gateway's protocol. */
export interface DescribedFrame {
  readonly from: "gateway" | "client";
  /** The event, or the op. */
  readonly name: string;
  readonly summary: string;
  /** For events: their recipients, and whether numbered connections replay them. */
  readonly delivery: string | null;
  readonly schema: JsonSchema;
  /** Whole frames. */
  readonly examples: readonly unknown[];
}

/** The gateway's protocol: every frame, the query of the upgrade, and the schemas that frames share. */
export interface GatewayDescription {
  readonly frames: readonly DescribedFrame[];
  readonly query: JsonSchema;
  readonly shared: Readonly<Record<string, JsonSchema>>;
}

/** Where the examples of the schemas alone would not show the meaning of an event. */
const exampleDetails: { [Name in ClientEventName]?: Partial<EventPayload<Name>> } = {
  MESSAGE_UPDATE: { edited_at: "2026-01-02T03:05:00.000Z" },
  THREAD_MESSAGE_CREATE: { thread_id: uuidExample },
  VOICE_SIGNAL: { sdp: "v=0\r\no=- 46117317 2 IN IP4 127.0.0.1\r\n" },
};

const Frame = z.looseObject({ d: z.unknown() });
const Payload = z.record(z.string(), z.unknown());

/** Describes the gateway from the schemas by which it sends and parses (docs/protocol/operators.md#22). */
export function describeGateway(): GatewayDescription {
  const { schemas, shared } = toJsonSchemas([
    ...[...serverFrames].map(([name, schema]) => [`gateway ${name}`, schema] as const),
    ...[...clientFrames].map(([name, schema]) => [`client ${name}`, schema] as const),
    ["query", ConnectQuery],
  ]);
  const schemaOf = (key: string): JsonSchema => schemas[key] ?? {};
  const sent = [...serverFrames.keys()].map((name): DescribedFrame => {
    const schema = schemaOf(`gateway ${name}`);
    const details = isEventName(name) ? exampleDetails[name] : undefined;
    const example = withDetails(exampleOf(schema, shared), details);
    return {
      from: "gateway",
      name,
      summary: isEventName(name) ? events[name].summary : answerTexts[name],
      delivery: isEventName(name) ? deliveryOf(events[name]) : null,
      schema,
      examples: name === "READY" ? [withoutKeys(example, ["s"], ["resync"]), example] : [example],
    };
  });
  const received = [...clientFrames.keys()].map((name): DescribedFrame => {
    const schema = schemaOf(`client ${name}`);
    const details = name === "VOICE_SIGNAL" ? exampleDetails.VOICE_SIGNAL : undefined;
    return {
      from: "client",
      name,
      summary: clientFrameTexts[name],
      delivery: null,
      schema,
      examples: [withDetails(exampleOf(schema, shared), details)],
    };
  });
  return { frames: [...sent, ...received], query: schemaOf("query"), shared };
}

function deliveryOf({ audience, kind, version, toMemberWatchers, mustBeNamed }: EventDefinition): string {
  const replay = kind === "durable" ? "Durable: numbered connections get it replayed." : "Ephemeral: never replayed.";
  const query =
    version === undefined
      ? ""
      : ` with \`v=${version}\`${toMemberWatchers ? " and `members=all`" : ""}${mustBeNamed ? ", if `events` names it" : ""}`;
  return `To ${audienceTexts[audience]}${query}. ${replay}`;
}

function withDetails(frame: unknown, details: object | undefined): unknown {
  if (details === undefined) return frame;
  const { d, ...envelope } = Frame.parse(frame);
  return { ...envelope, d: { ...Payload.parse(d), ...details } };
}

/** The frame without these keys of the envelope and of the payload. */
function withoutKeys(frame: unknown, envelopeKeys: readonly string[], payloadKeys: readonly string[]): unknown {
  const keep = (value: unknown, left: readonly string[]) =>
    Object.fromEntries(Object.entries(Payload.parse(value)).filter(([key]) => !left.includes(key)));
  const envelope = keep(frame, envelopeKeys);
  return { ...envelope, d: keep(envelope.d, payloadKeys) };
}
