import { propertyChoices, type WantedProperties } from '#domain/pull-request-properties.ts';
import { useUrlFilter } from '../url/url-filter.ts';
import { readOneOf, readPositive } from '../url/url-state.ts';

/** The repository that the address names, by its id; undefined is all of them. */
export function useRepositoryFilter(): number | undefined {
  return readPositive(useUrlFilter('repository')[0]);
}

/** Drafts, bots or agents with, without or alone, kept in the address; its value there and how to change it. */
export function usePropertyFilter(name: keyof WantedProperties) {
  const [text, setChoice] = useUrlFilter(name);
  return [readOneOf(text, propertyChoices), setChoice] as const;
}

/** What the address wants of the pull requests of a list. */
export function useWantedProperties(): WantedProperties {
  const [drafts] = usePropertyFilter('drafts');
  const [bots] = usePropertyFilter('bots');
  const [agents] = usePropertyFilter('agents');
  return { drafts, bots, agents };
}
