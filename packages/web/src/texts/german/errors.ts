import type { Texts } from "../english/catalogue.js";

/** Errors that people meet often, by the text that the server answers with. */
export const errors: Texts["errors"] = {
  "Invalid username or password": "Benutzername oder Passwort stimmt nicht.",
  "Invalid second factor code": "Dieser Code stimmt nicht. Nimm den neuesten.",
  "Account is disabled": "Dieses Konto ist gesperrt.",
  "Wrong password": "Das Passwort stimmt nicht.",
  "Username must be 2-32 characters: letters, digits and underscores":
    "Benutzernamen haben 2 bis 32 Zeichen: Buchstaben, Ziffern und Unterstriche.",
  "Password must be 8-128 characters": "Passwörter haben 8 bis 128 Zeichen.",
  "Invalid email address": "Das ist keine E-Mail-Adresse.",
  "Registration is currently closed": "Hier können gerade keine neuen Konten erstellt werden.",
  "A valid invite code is required": "Du brauchst einen gültigen Einladungscode, um dich hier zu registrieren.",
  "Username already taken": "Dieser Benutzername ist schon vergeben.",
  "Email already registered": "Zu dieser E-Mail-Adresse gibt es schon ein Konto.",
  "Invalid or expired reset token": "Dieser Code stimmt nicht oder ist abgelaufen. Fordere einen neuen an.",
  "Invalid or expired verification token": "Dieser Code stimmt nicht oder ist abgelaufen. Fordere einen neuen an.",
  "E-mail is not configured": "Dieser Server kann keine E-Mails senden.",
  "Invite not found": "Diese Einladung gibt es nicht.",
  "Invite not found or has expired": "Diese Einladung ist abgelaufen, oder es gab sie nie.",
  "This invite has expired": "Diese Einladung ist abgelaufen.",
  "This invite has reached its maximum uses": "Diese Einladung ist aufgebraucht.",
  "You are banned from this server": "Du bist auf diesem Server gebannt.",
  "Message content must be 1-4000 characters": "Nachrichten haben 1 bis 4.000 Zeichen.",
  "You don't have permission to send messages in this channel": "Du kannst in diesem Kanal nicht schreiben.",
  "User is timed out": "Du hast eine Auszeit und kannst gerade nicht schreiben.",
  "Message blocked by word filter": "Vom Wortfilter blockiert",
  "Duplicate message blocked": "Dieselbe Nachricht hast du gerade erst gesendet.",
  "Too many requests": "Das ging etwas zu schnell. Warte einen Moment und versuche es noch einmal.",
  "Service unavailable": "Der Server ist gerade nicht verfügbar. Versuche es gleich noch einmal.",
  "Internal server error": "Auf dem Server ist etwas schiefgegangen. Versuche es noch einmal.",
};
