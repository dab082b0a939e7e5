import { z } from "zod";
import { retentionDaysMax } from "./limits.js";

/** Public error text of the days that a server keeps messages. */
export const retentionDaysError = `retention_days must be null or 1-${retentionDaysMax}`;

const days = z.int(retentionDaysError).min(1, retentionDaysError).max(retentionDaysMax, retentionDaysError).nullable();

export const retentionBody = z.object({ retention_days: days });
