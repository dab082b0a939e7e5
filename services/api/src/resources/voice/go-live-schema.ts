import { goLiveQualities } from "@parley/contracts";
import { z } from "zod";
import { unclearable } from "../../http/input.js";

export const qualityMessage = `quality must be one of: ${goLiveQualities.join(", ")}`;

export const startGoLiveBody = z.object({ quality: unclearable(z.enum(goLiveQualities, qualityMessage)) });
export type StartGoLive = z.infer<typeof startGoLiveBody>;
