/** Public error texts of administration (docs/interface.md#18.1). */
export const administrationErrors = {
  registrationMode: "registration_mode must be open, invite_only or closed",
  before: "Invalid before",
} as const;
