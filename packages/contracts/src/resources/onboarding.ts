import { z } from "zod";
import { onboardingLimits } from "../onboarding-limits.js";
import { uuid } from "./identifiers.js";

export const OnboardingOption = z
  .object({
    id: uuid,
    title: z.string().meta({ minLength: 1, maxLength: onboardingLimits.optionTitle, example: "Tournaments" }),
    emoji: z.string().nullable().meta({ maxLength: onboardingLimits.emoji, example: "🏆" }),
    role_ids: z.array(uuid).meta({ maxItems: onboardingLimits.rolesOfOption }),
    channel_ids: z.array(uuid).meta({ maxItems: onboardingLimits.channelsOfOption }),
  })
  .meta({ id: "OnboardingOption" });
export type OnboardingOption = z.infer<typeof OnboardingOption>;

export const OnboardingQuestion = z
  .object({
    id: uuid,
    title: z
      .string()
      .meta({ minLength: 1, maxLength: onboardingLimits.questionTitle, example: "What are you here for?" }),
    single: z.boolean().meta({ description: "At most one option may be chosen" }),
    required: z.boolean(),
    options: z.array(OnboardingOption).meta({ maxItems: onboardingLimits.options }),
  })
  .meta({ id: "OnboardingQuestion" });
export type OnboardingQuestion = z.infer<typeof OnboardingQuestion>;

/** What a server shows and asks people who join (docs/protocol/communities.md#34.5). */
export const Onboarding = z
  .object({
    enabled: z.boolean(),
    welcome: z.string().nullable().meta({ maxLength: onboardingLimits.welcome }),
    channels: z
      .array(
        z.object({
          channel_id: uuid,
          description: z.string().meta({ maxLength: onboardingLimits.channelDescription }),
        }),
      )
      .meta({ maxItems: onboardingLimits.channels }),
    questions: z.array(OnboardingQuestion).meta({ maxItems: onboardingLimits.questions }),
  })
  .meta({ id: "Onboarding" });
export type Onboarding = z.infer<typeof Onboarding>;
