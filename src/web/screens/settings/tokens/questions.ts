import { ask } from '../../../api/query.ts';
import { askRepositories, askSignInOptions } from '../../../api/questions.ts';
import { askAgentSettings } from '../questions.ts';

export const askTokens = () => ask('listTokens', undefined);

export const tokenQuestions = () => [askTokens(), askSignInOptions(), askRepositories(), askAgentSettings()];
