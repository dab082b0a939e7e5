import type { FakeEndpoint, FakeTraffic } from "@parley/testing/fake-server-check";

declare module "vitest/internal/browser" {
  // Defined in vitest.page.config.ts.
  interface BrowserCommands {
    describedEndpoints: () => Promise<readonly FakeEndpoint[]>;
    problemsOf: (traffic: FakeTraffic) => Promise<string[]>;
    emulateMedia: (media: EmulatedMedia) => Promise<void>;
  }
}

/** What a device prefers. */
export interface EmulatedMedia {
  readonly colorScheme?: "dark" | "light";
  readonly reducedMotion?: "reduce" | "no-preference";
}
