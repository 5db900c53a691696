import { ask } from '../../api/query.ts';
import type { PathParams, RawSearch } from '../../url/url-state.ts';

export const askView = (slug: string) => ask('getView', { params: { slug } });

export const viewQuestions = (_: RawSearch, { slug = '' }: PathParams) => [askView(slug)];
