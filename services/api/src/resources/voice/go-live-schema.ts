import { errorTexts, goLiveQualities } from "@parley/contracts";
import { z } from "zod";
import { unclearable } from "../../http/input.js";

export const startGoLiveBody = z.object({
  quality: unclearable(z.enum(goLiveQualities, errorTexts.go_live_quality_invalid)),
});
export type StartGoLive = z.infer<typeof startGoLiveBody>;
