import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  base: "/app/",
  plugins: [react()],
  build: {
    target: "es2022",
    // Script that a page would have to run inline for older browsers; the Content-Security-Policy forbids it.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
  server: {
    // `npm start` beside `pnpm --filter @parley/web dev`.
    proxy: { "/api": { target: "http://localhost:8080", ws: true } },
  },
});
