import { errorTexts } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { none, ok, type Route, route } from "../../platform/http/route.js";
import { readSettings } from "./repository.js";
import { InstanceSettings, RegistrationSetting, updateSettingsBody } from "./schema.js";
import type { InstanceSettingsService } from "./service.js";

export function instanceSettingsRoutes(database: Database, settings: InstanceSettingsService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/instance/registration-mode",
        name: "instance.registrationMode",
        tag: "administration",
        summary: "Who may register",
        caller: "anyone",
        success: ok(RegistrationSetting),
      },
      async () => ({ registration_mode: (await readSettings(database)).registration_mode }),
    ),
    route(
      {
        method: "get",
        path: "/admin/settings",
        name: "admin.settings",
        tag: "administration",
        summary: "Read the settings of the installation",
        caller: "admin",
        success: ok(InstanceSettings),
      },
      () => readSettings(database),
    ),
    route(
      {
        method: "patch",
        path: "/admin/settings",
        name: "admin.updateSettings",
        tag: "administration",
        summary: "Change the settings of the installation",
        caller: "admin",
        causes: none("the settings of the instance are read when a page shows them"),
        body: updateSettingsBody,
        success: ok(InstanceSettings),
        errors: { invalid_input: [errorTexts.registration_mode_invalid] },
      },
      ({ identity, body }) => settings.update(identity.userId, body),
    ),
  ];
}
