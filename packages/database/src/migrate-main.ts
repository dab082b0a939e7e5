import { migrateCommand } from "./migrate-command.js";

process.exitCode = await migrateCommand(process.env, (line) => process.stdout.write(line));
