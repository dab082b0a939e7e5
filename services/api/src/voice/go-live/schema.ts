import { errorTexts, goLiveQualities } from "@parley/contracts";
import { z } from "zod";
import { nonNull } from "../../platform/http/input.js";

export const startGoLiveBody = z.object({
  quality: nonNull(z.enum(goLiveQualities, errorTexts.go_live_quality_invalid)),
});
export type StartGoLive = z.infer<typeof startGoLiveBody>;
