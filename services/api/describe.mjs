// Writes the descriptions of the API and of the gateway into @parley/api-description: the api serves them, and the client
// is generated from them. Declaring a route needs none of the connections that its handler works with: only the settings and these
// properties are read before a request.
import { mkdirSync, writeFileSync } from "node:fs";
import { describeGateway, describeGatewayAsAsyncApi } from "@parley/contracts/gateway-description";
import { stringify } from "yaml";
import { createFeatures } from "./dist/app/features.js";
import { configSchema } from "./dist/config.js";
import { gatewayDescriptionRoutes } from "./dist/operators/docs/gateway.js";
import { gatewayPage } from "./dist/operators/docs/gateway-page.js";
import { descriptionRoute } from "./dist/operators/docs/rest.js";
import { healthRoutes } from "./dist/operators/health/routes.js";
import { createBase } from "./dist/platform/feature.js";
import { describeApi } from "./dist/platform/http/openapi.js";
import { version } from "./dist/version.js";

const config = configSchema.parse({
  DATABASE_URL: "postgresql://localhost",
  JWT_SECRET: "-".repeat(32),
  UPLOAD_DIR: ".",
});
const features = createFeatures(
  createBase({
    config,
    database: { prisma: {} },
    outbox: { batch: () => undefined },
    presence: {},
    names: {},
    metrics: { registry: { registerMetric: () => undefined } },
  }),
);
// As the app counts them: all but the health checks.
const openRoutes = healthRoutes({});
const routes = [...features.routes, descriptionRoute(), ...gatewayDescriptionRoutes()];
const folder = new URL("../../packages/api-description/generated/", import.meta.url);
mkdirSync(folder, { recursive: true });
const api = describeApi({ openRoutes, routes }, version);
const yaml = (document) => stringify(document, { aliasDuplicateObjects: false });
for (const [name, text] of Object.entries({
  "openapi.json": JSON.stringify(api),
  "openapi.yaml": yaml(api),
  "asyncapi.yaml": yaml(describeGatewayAsAsyncApi(version)),
  "gateway.html": gatewayPage(describeGateway()),
})) {
  writeFileSync(new URL(name, folder), text);
}
