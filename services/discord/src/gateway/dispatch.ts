/** A DISPATCH of Discord's gateway, without its number. */
export interface Dispatch {
  readonly t: string;
  readonly d: unknown;
}
