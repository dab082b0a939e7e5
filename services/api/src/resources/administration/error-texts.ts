/** Public error texts of administration (docs/interface.md#18.1). */
export const administrationErrors = {
  page: "page must be 1 or more",
  perPage: "per_page must be 1-100",
  search: "search must be at most 100 characters",
  sortBy: "sort_by must be username, created_at or message_count",
  isAdmin: "is_admin must be true or false",
  disabled: "disabled must be true or false",
  yourself: "You cannot do this to your own account",
  adminBySetting: "This administrator is set by PARLEY_ADMINS",
  botAdmin: "Bots cannot be administrators",
} as const;
