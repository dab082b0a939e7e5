import { z } from "zod";
import { bounded } from "../../rules/newcomers/schema.js";

export const setRaidBody = z.object({ minutes: bounded("minutes") });
