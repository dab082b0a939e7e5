import "react";

declare module "react" {
  interface CSSProperties {
    /** Custom properties. */
    [name: `--${string}`]: string | number | undefined;
  }
}
