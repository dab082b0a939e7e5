// Writes the API description as a file, for what is generated from it. Declaring a route needs none of what its handler
// works with: of the dependencies only the settings and these five properties are read before a request.
import { mkdirSync, writeFileSync } from "node:fs";
import { configSchema } from "./dist/config.js";
import { gatewayDescriptionRoutes } from "./dist/docs/gateway.js";
import { descriptionRoute } from "./dist/docs/rest.js";
import { healthRoutes } from "./dist/health/routes.js";
import { describeApi } from "./dist/http/openapi.js";
import { createResources } from "./dist/resources.js";

const config = configSchema.parse({
  DATABASE_URL: "postgresql://localhost",
  JWT_SECRET: "-".repeat(32),
  UPLOAD_DIR: ".",
});
const routes = createResources({
  config,
  database: { prisma: {} },
  outbox: { batch: () => undefined },
  presence: {},
  start: () => undefined,
  metrics: { registry: { registerMetric: () => undefined } },
});
const openRoutes = [...healthRoutes({}), descriptionRoute(() => ({}), ""), ...gatewayDescriptionRoutes("")];
const folder = new URL("generated/", import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL("openapi.json", folder), JSON.stringify(describeApi({ openRoutes, routes }, "")));
