import { connectDatabase } from "@parley/database";
import { createLogger, loadConfigOrExit } from "@parley/service-runtime";
import { z } from "zod";
import { configSchema } from "./config.js";
import { administratorsCommand } from "./operators/administration/by-operator/command.js";

// `node dist/administrators-main.js add ann` in the container of an api (deploy/parley admin).
const { DATABASE_URL: url } = loadConfigOrExit(
  z.object({ DATABASE_URL: configSchema.shape.DATABASE_URL }),
  process.env,
);
const logger = createLogger({ service: "administrators", level: "warn", nodeId: "operator" });
const database = await connectDatabase({ url, poolMax: 1, applicationName: "parley administrators", logger });
try {
  const write = (line: string) => process.stdout.write(`${line}\n`);
  process.exitCode = await administratorsCommand(database, process.argv.slice(2), write);
} finally {
  await database.close();
}
