import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { retentionDaysMax } from "../../config.js";

const days = z
  .int(errorTexts.retention_days_invalid)
  .min(1, errorTexts.retention_days_invalid)
  .max(retentionDaysMax, errorTexts.retention_days_invalid)
  .nullable();

export const retentionBody = z.object({ retention_days: days });
