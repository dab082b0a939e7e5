import { z } from "zod";
import { bounded } from "../safety/schema.js";

export const setRaidBody = z.object({ minutes: bounded("minutes") });
