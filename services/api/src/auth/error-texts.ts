/** Public error texts of accounts and sessions (docs/interface.md#2). */
export const authErrors = {
  username: "Username must be 2-32 characters: letters, digits and underscores",
  password: "Password must be 8-128 characters",
  email: "Invalid email address",
  registrationClosed: "Registration is currently closed",
  inviteCode: "A valid invite code is required",
  usernameTaken: "Username already taken",
  emailTaken: "Email already registered",
  loginUsername: "username must be 1-128 characters",
  loginPassword: "password must be 1-128 characters",
  disabled: "Account is disabled",
  wrongCredentials: "Invalid username or password",
  refreshTokenLength: "refresh_token must be 1-2048 characters",
  refreshTokenInvalid: "Invalid or expired refresh token",
  sessionNotFound: "Session not found",
} as const;
