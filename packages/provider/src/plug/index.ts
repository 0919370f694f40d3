export type {
  AccessOptions,
  Freshness,
  Instance,
  InstanceState,
  LookupAnswer,
  LookupAnswers,
  LookupOptions,
  NodeRef,
  Provider,
  ProviderContext,
  ProviderLimits,
  ProviderModule,
} from './provider.ts';
