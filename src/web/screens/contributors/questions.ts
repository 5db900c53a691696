import { askEveryAccount, askRepositories } from '../../api/questions.ts';
import { type RawSearch, readPositive } from '../../url/url-state.ts';

export const contributorsQuestions = (search: RawSearch) => [
  askRepositories(),
  askEveryAccount(readPositive(search.repository)),
];
