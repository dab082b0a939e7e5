import type { FakeEndpoint, FakeTraffic } from "@parley/testing/fake-server-check";

declare module "vitest/internal/browser" {
  // Defined in vitest.page.config.ts.
  interface BrowserCommands {
    describedEndpoints: () => Promise<readonly FakeEndpoint[]>;
    problemsOf: (traffic: FakeTraffic) => Promise<string[]>;
    emulateMedia: (media: EmulatedMedia) => Promise<void>;
    /** Moves the mouse out of the window. */
    restMouse: () => Promise<void>;
    /** Touches a place of the window, in CSS pixels, for a moment. */
    tap: (x: number, y: number) => Promise<void>;
    /** Answers the files of messages with a picture, in Base64, from its release on. */
    holdFiles: (png: string) => Promise<void>;
    releaseFiles: () => Promise<void>;
    /** Files of messages are answered no more. */
    forgetFiles: () => Promise<void>;
  }
}

/** The preferences of a device. */
export interface EmulatedMedia {
  readonly colorScheme?: "dark" | "light";
  readonly reducedMotion?: "reduce" | "no-preference";
}
