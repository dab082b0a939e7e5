import { defineConfig } from "prisma/config";

// The connection is given at run time, by connectDatabase and migrate; the Prisma CLI only generates the client.
export default defineConfig({
  schema: "../../prisma/schema.prisma",
  migrations: { path: "../../prisma/migrations" },
});
