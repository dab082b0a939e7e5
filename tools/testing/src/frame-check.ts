import { describeGateway } from "@parley/contracts/gateway-description";
import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import { z } from "zod";
import { closed } from "./closed-schema.js";
import { undescribedFrames } from "./undescribed-frames.js";

/** Returns the fault of a gateway's frame by the description that the api serves; null for none. */
export type CheckFrame = (frame: string) => string | null;

const Envelope = z.looseObject({ op: z.string(), t: z.string().nullable() });
const Schema = z.record(z.string(), z.unknown());

/** A check of every frame that a gateway may send; an object with a field that is not described is wrong. */
export function createFrameCheck(): CheckFrame {
  const { frames, shared } = describeGateway();
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  ajv.addSchema({ $id: "api", components: { schemas: closed(shared) } });
  const schemas = new Map(frames.filter(({ from }) => from === "gateway").map(({ name, schema }) => [name, schema]));
  const validators = new Map<string, ValidateFunction>();

  const validatorOf = (name: string): ValidateFunction | null => {
    const schema = schemas.get(name);
    const known = validators.get(name);
    if (schema === undefined || known !== undefined) return known ?? null;
    const validate = ajv.compile(Schema.parse(closed(schema)));
    validators.set(name, validate);
    return validate;
  };

  return (text) => {
    const frame = Envelope.safeParse(JSON.parse(text)).data;
    const validate = frame === undefined ? null : validatorOf(frame.t ?? frame.op);
    if (validate === null) return `${text.slice(0, 500)} is described nowhere`;
    return validate(frame) ? null : `${text.slice(0, 500)} is not as described: ${ajv.errorsText(validate.errors)}`;
  };
}

let check: CheckFrame | undefined;

/** Checks a frame; a problem fails the current test. */
export function checkFrame(frame: string): void {
  check ??= createFrameCheck();
  const problem = check(frame);
  if (problem !== null) undescribedFrames.publish(problem);
}
