import { channel } from "node:diagnostics_channel";

/** Frames that the description of the gateway does not allow: from whichever client received one to the setup file. */
export const undescribedFrames = channel("parley:undescribed-frames");
