import type { Texts } from "../english/catalogue.js";

/** Errors that people meet often on the way in, by the code that the server answers with. */
export const errors: Texts["errors"] = {
  wrong_credentials: "Benutzername oder Passwort stimmt nicht.",
  second_factor_invalid: "Dieser Code stimmt nicht. Nimm den neuesten.",
  passkey_invalid: "Dieser Passkey ist hier nicht bekannt, oder es hat zu lange gedauert. Versuche es noch einmal.",
  passkeys_missing: "Dieses Konto hat keine Passkeys.",
  account_disabled: "Dieses Konto ist gesperrt.",
  wrong_password: "Das Passwort stimmt nicht.",
  username_invalid: "Benutzernamen haben 2 bis 32 Zeichen: Buchstaben, Ziffern und Unterstriche.",
  password_length: "Passwörter haben 8 bis 128 Zeichen.",
  email_invalid: "Das ist keine E-Mail-Adresse.",
  registration_closed: "Hier können gerade keine neuen Konten erstellt werden.",
  invite_code_required: "Du brauchst einen gültigen Einladungscode, um dich hier zu registrieren.",
  username_taken: "Dieser Benutzername ist schon vergeben.",
  email_taken: "Zu dieser E-Mail-Adresse gibt es schon ein Konto.",
  reset_token_invalid: "Dieser Code stimmt nicht oder ist abgelaufen. Fordere einen neuen an.",
  verification_token_invalid: "Dieser Code stimmt nicht oder ist abgelaufen. Fordere einen neuen an.",
  email_not_configured: "Dieser Server kann keine E-Mails senden.",
  invite_not_found_or_expired: "Diese Einladung ist abgelaufen, oder es gab sie nie.",
  sign_in_account_missing: "Für dich gibt es hier noch kein Konto. Bitte einen Administrator darum.",
  sign_in_domain_refused: "Für die Anmeldung brauchst du eine bestätigte E-Mail-Adresse deiner Organisation.",
  rate_limited: "Das ging etwas zu schnell. Warte einen Moment und versuche es noch einmal.",
  unavailable: "Der Server ist gerade nicht verfügbar. Versuche es gleich noch einmal.",
  internal: "Auf dem Server ist etwas schiefgegangen. Versuche es noch einmal.",
};
