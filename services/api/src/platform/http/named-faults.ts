import { located, pathText } from "@parley/contracts";
import type { z } from "zod";

/**
 * A part of a body whose 400 names the first fault by its path: `commands[2].options[0].name: …`.
 *
 * @param root name of the part in the body
 * @param schema schema of the part; the text of the fault is that of the rule that failed
 */
export const namedFaults = <S extends z.ZodType>(root: string, schema: S) => located(schema, (fault) => root + fault);

/** The text of a fault: its path, and the rule. */
export const faultText = (root: string, path: readonly PropertyKey[], fault: string): string =>
  `${root}${pathText(path)}: ${fault}`;
