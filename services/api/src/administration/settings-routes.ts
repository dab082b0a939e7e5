import { ok, type Route, route } from "../http/route.js";
import { administrationErrors } from "./error-texts.js";
import { InstanceSettings, Registration, updateSettingsBody } from "./settings-schema.js";
import type { SettingsService } from "./settings-service.js";

export function settingsRoutes(settings: SettingsService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/instance/registration-mode",
        tag: "administration",
        summary: "Who may register",
        caller: "anyone",
        success: ok(Registration),
      },
      async () => ({ registration_mode: (await settings.read()).registration_mode }),
    ),
    route(
      {
        method: "get",
        path: "/admin/settings",
        tag: "administration",
        summary: "Read the settings of the installation",
        caller: "admin",
        success: ok(InstanceSettings),
      },
      () => settings.read(),
    ),
    route(
      {
        method: "patch",
        path: "/admin/settings",
        tag: "administration",
        summary: "Change the settings of the installation",
        caller: "admin",
        body: updateSettingsBody,
        success: ok(InstanceSettings),
        errors: { invalid_input: [administrationErrors.registrationMode] },
      },
      ({ identity, body }) => settings.update(identity.userId, body),
    ),
  ];
}
