import { gatewayPaths } from "../gateway.js";
import { type DescribedFrame, describeGateway } from "./describe.js";
import { connectionText } from "./texts.js";

/** The gateway as an AsyncAPI 3.0 document (docs/protocol/operators.md#22). */
export function describeGatewayAsAsyncApi(version: string) {
  const { frames, query, shared } = describeGateway();
  const messageReference = (frame: DescribedFrame) => ({ $ref: `#/channels/gateway/messages/${keyOf(frame)}` });
  const answerTo = new Map([
    ["HEARTBEAT", "HEARTBEAT_ACK"],
    ["PRESENCE_SUBSCRIBE", "PRESENCE_UPDATE"],
    ["VIEW", "VIEW_ACK"],
  ]);
  const operations = frames.map((frame) => {
    const answer = frames.find(({ from, name }) => from === "gateway" && name === answerTo.get(frame.name));
    return [
      keyOf(frame),
      {
        // The application that the document describes is the gateway.
        action: frame.from === "gateway" ? "send" : "receive",
        channel: { $ref: "#/channels/gateway" },
        summary: frame.summary,
        ...(frame.delivery === null ? {} : { description: frame.delivery }),
        messages: [messageReference(frame)],
        ...(frame.from === "client" && answer !== undefined
          ? { reply: { channel: { $ref: "#/channels/gateway" }, messages: [messageReference(answer)] } }
          : {}),
      },
    ];
  });
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Parley gateway",
      version,
      license: { name: "Unlicensed", url: "https://choosealicense.com/no-permission/" },
      description: connectionText,
      tags: [{ name: "gateway" }],
    },
    defaultContentType: "application/json",
    servers: {
      gateway: {
        host: "{host}",
        protocol: "wss",
        description: "The host that serves the REST API, `ws` where that is not https.",
        variables: { host: { default: "localhost:8080", description: "Host, and port where it is not the usual one" } },
        security: [{ $ref: "#/components/securitySchemes/token" }, { $ref: "#/components/securitySchemes/botToken" }],
      },
    },
    channels: {
      gateway: {
        address: gatewayPaths[0],
        title: "Gateway",
        description: `Also served as \`${gatewayPaths[1]}\`.`,
        messages: Object.fromEntries(
          frames.map((frame) => [keyOf(frame), { $ref: `#/components/messages/${keyOf(frame)}` }]),
        ),
        bindings: { ws: { method: "GET", query, bindingVersion: "0.1.0" } },
      },
    },
    operations: Object.fromEntries(operations),
    components: {
      messages: Object.fromEntries(frames.map((frame) => [keyOf(frame), messageOf(frame)])),
      schemas: shared,
      securitySchemes: {
        token: { type: "httpApiKey", in: "query", name: "token", description: "Access token or bot JWT" },
        botToken: { type: "httpApiKey", in: "query", name: "bot_token", description: "Static token of a bot" },
      },
    },
  };
}

function messageOf(frame: DescribedFrame) {
  return {
    name: frame.name,
    title: frame.name,
    summary: frame.summary,
    contentType: "application/json",
    payload: frame.schema,
    examples: frame.examples.map((payload, index) => ({ name: `${keyOf(frame)}Example${index + 1}`, payload })),
  };
}

/** Both sides have ops of the same name: `sendPresenceUpdate`, `receivePresenceUpdate`. */
function keyOf({ from, name }: DescribedFrame): string {
  const words = name
    .toLowerCase()
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${from === "gateway" ? "send" : "receive"}${words.join("")}`;
}
