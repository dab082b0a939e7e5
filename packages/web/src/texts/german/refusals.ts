import type { Texts } from "../english/catalogue.js";

/** Errors that people meet often once they are in, by the code that the server answers with. */
export const refusals: Texts["refusals"] = {
  sign_in_already_connected: "Dein Konto ist schon verbunden.",
  sign_in_identity_taken: "Damit ist hier schon ein anderes Konto verbunden.",
  single_sign_on_only: "Passwörter werden hier nicht verwendet. Melde dich über deinen Anmeldedienst an.",
  account_has_no_password: "Dein Konto hat kein Passwort: Du meldest dich über deinen Anmeldedienst an.",
  invite_not_found: "Diese Einladung gibt es nicht.",
  invite_expired: "Diese Einladung ist abgelaufen.",
  invite_used_up: "Diese Einladung ist aufgebraucht.",
  banned: "Du bist auf diesem Server gebannt.",
  message_content_length: "Nachrichten haben 1 bis 4.000 Zeichen.",
  send_messages_required: "Du kannst in diesem Kanal nicht schreiben.",
  passkey_registered: "Dieser Passkey wurde schon hinzugefügt.",
  passkeys_limit_reached: "Mehr Passkeys sind nicht möglich. Entferne zuerst einen.",
  cannot_message_user: "Dieser Person kannst du nicht schreiben.",
  group_full: "Die Gruppe ist voll.",
  groups_limit_reached: "Du oder jemand, den du hinzufügst, ist schon in so vielen Gruppen wie möglich.",
  cannot_moderate_above: "Bei jemandem auf der Höhe deiner höchsten Rolle oder darüber geht das nicht.",
  timed_out: "Du hast eine Auszeit und kannst gerade nicht schreiben.",
  newcomers_cannot_write:
    "Neue Mitglieder dieses Servers können noch nicht schreiben. Er verlangt vorher etwas Zeit oder eine bestätigte E-Mail-Adresse.",
  rules_not_accepted: "Nimm zuerst die Regeln dieses Servers an.",
  under_raid: "Dieser Server nimmt gerade keine neuen Mitglieder auf. Versuche es später noch einmal.",
  word_filtered: "Vom Wortfilter blockiert",
  duplicate_message: "Dieselbe Nachricht hast du gerade erst gesendet.",
  emoji_image_type: "Bilder müssen PNG-, JPEG-, WebP- oder GIF-Dateien sein.",
  image_too_large: "Bilder dürfen bis zu 8 MB groß sein.",
  image_unreadable: "Dieses Bild lässt sich nicht lesen. Wähle ein anderes.",
  cannot_use_apps: "Du kannst auf diesem Server keine Apps verwenden.",
  command_not_found: "Die App hat diesen Befehl nicht mehr.",
  component_not_found: "Das kann nicht mehr verwendet werden.",
};
