import { errorTexts } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { z } from "zod";
import { none, ok, type Route, route } from "../../platform/http/route.js";
import { htmlType } from "../docs/media-types.js";
import { staticPagePolicy } from "../docs/page-policies.js";
import { readSettings } from "./repository.js";
import { Instance, InstanceSettings, RegistrationSetting, updateSettingsBody, writtenPageNames } from "./schema.js";
import type { InstanceSettingsService } from "./service.js";

/** Seconds for which browsers and proxies may keep the answers to everybody. */
const publicTtlSeconds = 60;
const publicly = { "Cache-Control": `public, max-age=${publicTtlSeconds}` };
const written = { terms: "the terms of use", privacy: "the privacy policy", imprint: "the imprint" };

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
        path: "/instance",
        name: "instance.read",
        tag: "administration",
        summary: "What everybody may read about the installation",
        caller: "anyone",
        success: ok(Instance),
      },
      ({ response }) => {
        response.set(publicly);
        return settings.describe();
      },
    ),
    ...writtenPageNames.map((name) =>
      route(
        {
          method: "get",
          path: `/${name}`,
          name: `instance.${name}`,
          tag: "administration",
          summary: `Read ${written[name]}`,
          caller: "anyone",
          success: { status: 200, description: "A page without scripts", schema: z.string(), contentType: "text/html" },
          errors: { not_found: [errorTexts.installation_page_not_found] },
        },
        async ({ response }) => {
          const html = await settings.writtenPage(name);
          response
            .set({ ...publicly, "Content-Type": htmlType, "Content-Security-Policy": staticPagePolicy })
            .end(html);
          return html;
        },
      ),
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
        errors: {
          invalid_input: [
            errorTexts.registration_mode_invalid,
            errorTexts.installation_name_length,
            errorTexts.installation_description_length,
            errorTexts.accent_invalid,
            ...writtenPageNames.map(errorTexts.installation_page_length),
            errorTexts.contact_length,
            errorTexts.reaccept_not_boolean,
            errorTexts.registration_settings_object,
            errorTexts.registration_email_invalid,
            errorTexts.registration_email_needs_mail,
            errorTexts.registration_approval_not_boolean,
            errorTexts.registration_challenge_invalid,
            errorTexts.email_domains_invalid,
            errorTexts.blocked_domains_invalid,
            errorTexts.files_setting_invalid,
            errorTexts.quota_invalid,
            errorTexts.quota_settings_object,
            errorTexts.require_second_factor_invalid,
            errorTexts.second_factor_to_demand,
          ],
        },
      },
      ({ identity, body }) => settings.update(identity.userId, body),
    ),
  ];
}
