/** Bots: their embeds and components, and what they answer. */
export const apps = {
  embed: "Embed",
  webhook: "Webhook",
  choose: {
    text: "Choose",
    user: "Choose a user",
    role: "Choose a role",
    channel: "Choose a channel",
  },
  /** In place of a bot's name that is not known. */
  app: "The app",
  waiting: (name: string) => `Asking ${name} …`,
  thinking: (name: string) => `${name} is thinking …`,
  noAnswer: (name: string) => `${name} did not answer.`,
  dismiss: "Dismiss",
  onlyYou: "Only you can see this",
  optional: (label: string) => `${label} (optional)`,
  submit: "Send",
  modalOf: (name: string) => `What you write here goes to ${name}.`,
  faults: {
    required: "This is required.",
    length: (min: number, max: number) => (min === 0 ? `At most ${max} characters.` : `${min} to ${max} characters.`),
    choice: "Choose one of the list.",
    integer: "A whole number, please.",
    number: "A number, please.",
    least: (min: number) => `${min} or more.`,
    most: (max: number) => `${max} or less.`,
  },
  yes: "Yes",
  no: "No",
  entry: "Apps",
  entryOf: (command: string, bot: string) => `${command} – ${bot}`,
} as const;
