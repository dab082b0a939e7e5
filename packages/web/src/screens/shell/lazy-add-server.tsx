import { lazyPart } from "../../ui/page/lazy-part.js";

/** The dialog that creates a server, or joins one; to be shown while it is open. */
export const AddServerDialog = lazyPart<{ onClose: () => void }>(
  async () => (await import("./add-server.js")).AddServerDialog,
);
