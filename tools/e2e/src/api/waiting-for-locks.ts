export { waitingForLocks } from "@parley/testing";
