// Writes the descriptions of the API and of the gateway as files: they are served, and read by what is generated from
// them. Declaring a route needs none of what its handler
// works with: of the dependencies only the settings and these six properties are read before a request.
import { mkdirSync, writeFileSync } from "node:fs";
import { describeGateway, describeGatewayAsAsyncApi } from "@parley/contracts/gateway-description";
import { stringify } from "yaml";
import { configSchema } from "./dist/config.js";
import { gatewayDescriptionRoutes } from "./dist/docs/gateway.js";
import { gatewayPage } from "./dist/docs/gateway-page.js";
import { descriptionRoute } from "./dist/docs/rest.js";
import { healthRoutes } from "./dist/health/routes.js";
import { describeApi } from "./dist/http/openapi.js";
import { createResources } from "./dist/resources.js";
import { version } from "./dist/version.js";

const config = configSchema.parse({
  DATABASE_URL: "postgresql://localhost",
  JWT_SECRET: "-".repeat(32),
  UPLOAD_DIR: ".",
});
const resources = createResources({
  config,
  database: { prisma: {} },
  outbox: { batch: () => undefined },
  presence: {},
  names: {},
  start: () => undefined,
  metrics: { registry: { registerMetric: () => undefined } },
});
// As the app counts them: all but the health checks.
const openRoutes = healthRoutes({});
const routes = [...resources, descriptionRoute(), ...gatewayDescriptionRoutes()];
const folder = new URL("generated/", import.meta.url);
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
