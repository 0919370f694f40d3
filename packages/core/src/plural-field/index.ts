export {
  createPlural,
  type PluralCreation,
  type PluralOutcome,
  type PluralUpdate,
  type Sent,
  updatePlural,
} from './plural-field.ts';
