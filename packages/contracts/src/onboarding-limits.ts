/** How much of everything an onboarding has (docs/protocol/communities.md#34.5). */
export const onboardingLimits = {
  welcome: 1_000,
  channels: 10,
  channelDescription: 100,
  questions: 8,
  questionTitle: 100,
  options: 20,
  optionTitle: 50,
  emoji: 64,
  rolesOfOption: 5,
  channelsOfOption: 20,
} as const;
