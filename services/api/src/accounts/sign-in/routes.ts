import { z } from "zod";
import { ok, type Route, route } from "../../platform/http/route.js";

/** How people sign in (docs/protocol/accounts.md#29.1). */
export const SignInMethods = z
  .object({
    password: z.boolean(),
    oidc: z.object({ name: z.string() }).nullable(),
    passkeys: z.boolean(),
  })
  .meta({ id: "SignInMethods", description: "How people sign in; `oidc.name`: what the provider is called" });

export function signInRoutes(methods: z.infer<typeof SignInMethods>): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/instance/sign-in",
        name: "instance.signIn",
        tag: "auth",
        summary: "How people sign in",
        caller: "anyone",
        success: ok(SignInMethods),
      },
      async () => methods,
    ),
  ];
}
