// The gateway described to machines and people, from the schemas by which it sends and parses.
export { describeGatewayAsAsyncApi } from "./asyncapi.js";
export { type DescribedFrame, describeGateway, type GatewayDescription } from "./describe.js";
export { type JsonSchema, sharedSchemaPrefix } from "./json-schema.js";
export { connectionText } from "./texts.js";
