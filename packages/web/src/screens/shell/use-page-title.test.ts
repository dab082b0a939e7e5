import { expect, test } from "vitest";
import { emptyState } from "../../state/store/app-state.js";
import { titleOf } from "./use-page-title.js";

test("names of pages that need no data", () => {
  expect(titleOf(emptyState, "/", "Parley")).toBe("Parley");
  expect(titleOf(emptyState, "/dm", "Parley")).toBe("Direct messages – Parley");
  expect(titleOf(emptyState, "/account/profile", "Parley")).toBe("My account – Parley");
  expect(titleOf(emptyState, "/servers/1/channels/2", "House")).toBe("House");
});
