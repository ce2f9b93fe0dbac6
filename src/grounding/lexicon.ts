import type { NumberLocale } from "./facts.ts";

const split = (words: string): readonly string[] => words.split(/\s+/).filter((word) => word !== "");
const setOf = (words: string): ReadonlySet<string> => new Set(split(words));

/** Words have no accents, because tokens are folded. Every list applies to both languages: models mix them. */

export const UP_WORDS = setOf(`rose rise rises rising risen gain gains gained gaining up higher climbed climb climbs
  jumped jump jumps increased increase increases increasing advanced advance advances rallied rally surged
  surge surges
  soared soar soars grew grow grows growth strengthened strengthens above inflow inflows surplus premium added ahead
  improved upward appreciated rebounded recovered
  subiu sobe subiram sobem alta altas avancou avanco avancaram avanca ganhou ganho ganhos ganharam acima
  aumentou aumento
  aumentam cresceu crescimento cresce valorizou valorizacao elevou elevacao superavit agio entradas disparou subida`);

export const DOWN_WORDS = setOf(`fell fall falls falling fallen lost lose loses losing loss losses down lower dropped
  drop drops dropping declined decline declines declining decreased decrease decreases slid slide slides slipped slip
  slips sank sink tumbled tumble plunged plunge plunges weakened weakens below shed sheds outflow outflows deficit
  discount behind retreated retreats shrank worsened downward depreciated crashed slumped cut
  caiu cai cairam caem queda quedas recuou recuo recuaram recua perdeu perda perdas perderam abaixo diminuiu reducao
  reduziu baixa baixas desvalorizou desvalorizacao encolheu deficit desagio saidas despencou piorou cedeu`);

export const NEGATIONS = setOf("not never no without hardly didn hasn isn wasn nao nunca sem nem");

/** Comparisons right before a figure, with whether the figure before them must be the larger one. */
export const COMPARISONS: readonly (readonly [string, "more" | "less"])[] = [
  ...split("above exceeds exceeding exceeded surpassing topping acima supera superou excede").map(
    (one) => [one, "more"] as const,
  ),
  ...split("below under beneath abaixo").map((one) => [one, "less"] as const),
  ...["higher than", "greater than", "more than", "larger than", "bigger than", "maior que", "maior do que"].map(
    (one) => [one, "more"] as const,
  ),
  ...["superior a", "mais que", "mais do que", "mais alto que", "mais alta que"].map((one) => [one, "more"] as const),
  ...["lower than", "less than", "smaller than", "fewer than", "menor que", "menor do que", "inferior a"].map(
    (one) => [one, "less"] as const,
  ),
  ...["menos que", "menos de", "menos do que", "mais baixo que", "mais baixa que"].map((one) => [one, "less"] as const),
];

/** Numbers in words, which must be digits. "one" and "um" are rarely numbers, so they count only beside a unit. */
export const SPELLED = setOf(`two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
  sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousands
  millions billions trillions zero nil dozen dozens
  dois duas tres quatro cinco seis sete oito nove dez onze doze treze catorze quatorze quinze dezesseis
  dezessete dezoito
  dezenove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem cento centenas milhares duzia duzias
  second third fourth fifth sixth seventh eighth ninth tenth twentieth
  segundo segunda terceiro terceira quarto quarta quinto quinta sexto sexta setimo setima oitavo oitava nono
  nona decimo
  decima`);
export const SPELLED_ONE = setOf("one um uma a an");

/** Words that state a multiple or a part; a cited fact must have roughly that value. */
export interface Quantity {
  /** The value as a ratio; a change in percent is this ratio minus one. */
  readonly ratio: number;
  /** Whether it states a move ("halved") rather than a part ("half of"). */
  readonly is_move: boolean;
}
const move = (ratio: number): Quantity => ({ ratio, is_move: true });
const part = (ratio: number): Quantity => ({ ratio, is_move: false });
const each = (words: string, quantity: Quantity) => split(words).map((word) => [word, quantity] as const);
export const QUANTITIES: readonly (readonly [string, Quantity])[] = [
  ...each("halved halves halving", move(0.5)),
  ...each("doubled doubles doubling dobrou dobraram dobra twofold", move(2)),
  ...each("tripled triples tripling trebled triplicou triplicaram threefold", move(3)),
  ...each("quadrupled quadruplicou fourfold", move(4)),
  ...each("tenfold", move(10)),
  ...each("half metade", part(0.5)),
  ...each("double twice dobro duplo", part(2)),
  ...each("triple thrice triplo", part(3)),
  ...["a third of", "one third", "one third of", "um terco", "1 terco"].map((one) => [one, part(1 / 3)] as const),
  ...["two thirds", "dois tercos"].map((one) => [one, part(2 / 3)] as const),
  ...["a quarter of", "one quarter of", "um quarto de", "um quarto dos", "um quarto das"].map(
    (one) => [one, part(0.25)] as const,
  ),
  ...["three quarters", "three quarters of", "tres quartos"].map((one) => [one, part(0.75)] as const),
  ...["a fifth of", "one fifth of", "um quinto de", "um quinto dos"].map((one) => [one, part(0.2)] as const),
  ...["a tenth of", "one tenth of", "um decimo de", "um decimo dos"].map((one) => [one, part(0.1)] as const),
];

const each2 = (words: string, value: string) => split(words).map((word) => [word, value] as const);

/** Words that claim an extreme; a cited fact's label must say the same word, or one of its group. */
const EXTREMES: readonly string[] = [
  "record recorde unprecedented inedito inedita historica historico",
  "largest biggest greatest most strongest maior maiores mais",
  "highest peak top maxima maximo pico auge apice",
  "smallest least weakest menor menores menos",
  "lowest bottom trough minima minimo",
  "majority maioria",
  "minority minoria",
  "best melhor melhores",
  "worst pior piores",
  "unmatched unparalleled unequalled unrivalled incomparavel",
];
/** Further words in labels that justify an extreme: "24h high" justifies "the highest". */
export const EXTREME_LABELS: ReadonlyMap<string, string> = new Map([
  ["high", "highest"],
  ["low", "lowest"],
  ["max", "highest"],
  ["min", "lowest"],
]);
/** "high" and "low" are extremes after these words: "an all-time high", "a fresh low", "a 52-week high". */
export const EXTREME_SPANS = setOf(`time year month week day hour decade century session intraday lifetime record
  historic historical new fresh yearly annual monthly weekly daily quarter quarterly multiyear cycle`);
export const EXTREME_ENDS: ReadonlyMap<string, string> = new Map([
  ...each2("high highs", "highest"),
  ...each2("low lows", "lowest"),
]);
/** Extremes of several words, each with the word in a label that justifies it. */
export const EXTREME_PHRASES: readonly (readonly [string, string])[] = [
  ...each2("ath", "highest"),
  ...each2("atl", "lowest"),
  ["never before", "record"],
  ["for the first time", "record"],
  ["first time ever", "record"],
  ["pela primeira vez", "record"],
  ["sem precedentes", "record"],
  ["nunca antes", "record"],
  ["of all time", "record"],
  ["de todos os tempos", "record"],
  ["da historia", "record"],
  ["in history", "record"],
  ["on record", "record"],
];
/** Words with the ending of an English superlative that are not superlatives. */
export const NO_SUPERLATIVES = setOf(`interest latest forest harvest request invest reinvest suggest west northwest
  southwest midwest east northeast southeast rest test contest protest arrest digest modest honest manifest forecast
  guest quest nest pest best vest zest behest conquest divest ingest infest attest detest bequest budapest bucharest
  everest interests este oeste leste newest oldest earliest nearest closest youngest`);
export const EXTREME_GROUPS: ReadonlyMap<string, number> = new Map(
  EXTREMES.flatMap((words, group) => split(words).map((word) => [word, group] as const)),
);
/** These are extremes only after an article or "at a": "mais" alone compares. */
export const WEAK_EXTREMES = setOf(`mais menos maior menor maiores menores top melhor melhores pior piores best worst`);

export const ADVICE: readonly string[] = [
  ...["you should", "we recommend", "investors should", "traders should", "you must", "guaranteed", "risk free"],
  ...["recommend buying", "recommend selling", "time to buy", "time to sell", "sure thing", "go long", "go short"],
  ...["recomendamos", "voce deve", "deve comprar", "deve vender", "garantido", "garantida", "hora de comprar"],
  ...["hora de vender", "investidores devem", "sem risco", "recomenda comprar", "recomenda vender"],
];
export const IMPERATIVES = setOf("buy sell accumulate short long compre venda acumule comprem vendam");

export const CAUSES: readonly string[] = [
  ...["because", "due to", "owing to", "caused by", "driven by", "thanks to", "as a result of", "triggered by"],
  ...["porque", "por causa de", "por causa da", "por causa do", "devido a", "devido ao", "gracas a", "gracas ao"],
  ...["causado por", "causada por", "provocado por", "provocada por", "em razao de", "em razao da", "em razao do"],
];

export const MONTHS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    "january jan janeiro",
    "february feb fevereiro fev",
    "march mar marco",
    "april apr abril abr",
    "may maio mai",
    "june jun junho",
    "july jul julho",
    "august aug agosto ago",
    "september sep sept setembro set",
    "october oct outubro out",
    "november nov novembro",
    "december dec dezembro dez",
  ].flatMap((words, index) => split(words).map((word) => [word, index + 1])),
);
/** Names of months that have another meaning too, or are short forms: they are months only beside a number. */
export const WEAK_MONTHS = setOf(
  "may march mar jan feb fev apr abr mai jun jul aug ago sep sept set oct out nov dec dez",
);

export const WEEKDAYS: Readonly<Record<string, number>> = Object.fromEntries(
  split("sunday monday tuesday wednesday thursday friday saturday").map((word, index) => [word, index]),
);
/** The first five may be followed by "-feira". */
export const WEEKDAYS_PT: Readonly<Record<string, number>> = {
  domingo: 0,
  segunda: 1,
  terca: 2,
  quarta: 3,
  quinta: 4,
  sexta: 5,
  sabado: 6,
};

/** Words that begin a new clause. */
export const CLAUSE_WORDS = setOf(`and while but whereas though although as after before when versus
  e enquanto mas porem apos quando embora ja`);

/** Words that mark a sentence as a supposition. */
export const CONDITIONALS = setOf("if would could may might should unless se caso poderia pode seria");

export const STOP_WORDS: Readonly<Record<NumberLocale, ReadonlySet<string>>> = {
  en: setOf("the of and to in is at that for with from was are were by an its this has have been which than"),
  "pt-BR": setOf("de da do das dos que em no na nos nas uma para com ao aos foi sao esta pela pelo os um mais se ha"),
};

/** Subjects that any text on markets may mention, whatever its facts. */
export const MARKET_WORDS = setOf(`price prices volume volumes rate rates yield yields curve curves market markets
  index
  breadth volatility inflation growth spread spreads trend trends sentiment regime risk risks macro crypto equity
  equities
  stock stocks bond bonds currency currencies commodity commodities gold oil futures options trade traders trading
  investors buyers sellers holders miners banks bank liquidity demand supply momentum flows policy monetary fiscal
  economy
  economic jobs labour unemployment output industry exports imports debt deficit surplus reserves breakeven funding
  headlines news facts evidence figures data readings signal signals levels support resistance forecast forecasts
  outlook
  scenario scenarios hypothesis hypotheses council seat seats votes verdict thesis calendar decision decisions meeting
  dollar euro bitcoin ether tokens coins stablecoins
  preco precos volume juro juros curva inflacao mercado mercados bolsa cambio moeda moedas indice indices acoes
  acao risco
  riscos tendencia volatilidade liquidez demanda oferta fluxo fluxos politica monetaria fiscal economia economico
  economica
  emprego desemprego atividade industria exportacoes importacoes divida deficit superavit reservas dados fatos
  noticias
  cenario cenarios expectativas projecoes agenda decisao reuniao pregao contratos safra soja milho cafe dolar real`);

/** Names that any text may use. */
export const COMMON_NAMES =
  setOf(`us usa eu uk un utc gmt gdp cpi pce pmi ppi fx etf etfs fed fomc ecb boe boj copom selic
  ipca igp igpm inpc ibge bcb bc cdi di ptax b3 ibov ibovespa pib focus anbima usd brl eur gbp jpy cny chf aud
  cad mxn btc
  eth sol america american americans europe european japan japanese china chinese brazil brazilian brasil brasileiro
  brasileira london tokyo york new united states euro dollar real wall street treasury treasuries banco central
  ii iii iv
  ai api i rsi atr sma ema apr apy tvl defi dex cex nft`);

/** Contractions, pronouns, adverbs, verbs and nouns a sentence or clause of Portuguese begins with. */
const PORTUGUESE_OPENERS = `neste nesta nestes nestas nesse nessa nesses nessas nisto nisso naquele naquela naqueles
  naquelas naquilo deste desta destes destas desse dessa desses dessas disto disso daquele daquela daqueles daquilo
  aqueles aquelas num numa nuns numas dum duma aonde donde dele dela deles delas nele nela neles nelas
  pelos pelas perante ante diante mediante salvo exceto fora dentro alem aquem acerca abaixo acima perto longe atras
  adiante junto frente quanto quantos quantas qual quais quem cujo cuja porque pois porquanto visto dado dada dados
  dadas posto caso contanto conquanto ora senao alias afinal enfim inclusive sobretudo principalmente especialmente
  atualmente recentemente historicamente tipicamente normalmente geralmente finalmente inicialmente anteriormente
  posteriormente paralelamente simultaneamente consequentemente igualmente apenas quase talvez provavelmente
  possivelmente aparentemente certamente claramente sempre nunca jamais outrora antigamente doravante
  primeiro primeira segundo segunda terceiro terceira ultimo ultima ultimos ultimas seguinte seguintes proximos
  proximas ambos ambas varios varias diversos diversas demais tal tais tanto tanta tantos tantas certo certa certos
  certas qualquer quaisquer alguem ninguem nada algo tudo alguns algumas nenhuns
  meu minha meus minhas teu tua nossos nossas voce voces nos vos eu me se lhe lhes
  sendo tendo estando considerando comparado comparada comparados comparadas medido medida medidos medidas observado
  observada somando somados somadas excluindo incluindo olhando levando cabe convem resta falta faltam segue
  seguem seguiu seguiram permanece permanecem permaneceu continua continuam continuou mantem mantidos mantida manteve
  fica ficam ficou ficaram passa passou passaram chega chegam chegou chegaram esteve estiveram havia haver haviam
  existe existem existia tem temos tiveram teve tinha pode podem poderia deve devem deveria vai vao veio vem
  subiu subiram caiu cairam recuou avancou somou somam somaram soma marca marcam marcou mede medem mediu registra
  registrou registraram registram mostra mostram mostrou aponta apontam apontou indica indicam indicou sugere sugerem
  revela revelam reflete refletem resume resumem traz trazem trouxe veja vejamos note observe confira lembre destaca
  destacam negocia negociam negociado negociada cotado cotada cotacao cotacoes
  edicao edicoes resumo panorama cenario cenarios contexto leitura leituras analise analises relatorio boletim nota
  notas texto manha tarde noite semana semanas mes meses ano anos dia dias trimestre semestre decada sessao sessoes
  inicio meio fim final comeco momento periodo prazo prazos horizonte
  media medias amplitude largura dispersao distancia diferenca diferencial spread vies sinal sinais forca fraqueza
  momento movimento movimentos tom humor sentimento apetite confianca cautela pressao pressoes alivio
  moedas criptomoedas ativos ativo papeis papel titulos titulo fundos fundo carteira posicao posicoes ordens compra
  vendas venda compras comprador compradores vendedor vendedores investidores investidor operadores participantes
  governo tesouro fazenda copom ata comunicado projecao projecoes expectativa expectativas estimativa estimativas
  inflacao deflacao salarios salario renda consumo investimento crescimento recessao pib produto agricultura
  agropecuaria exportador importador dolar euro real ienes ouro prata petroleo gas minerio graos algodao acucar carne
  tokens token protocolo protocolos rede redes blocos bloco mineradores liquidez financiamento funding alavancagem
  liquidacoes entradas saidas fluxo fluxos
  la ca aqui ali ai acola algures nenhures fora abriu abriram caminha caminham gira giram oscila oscilam
  dominancia abertas aberto fechado fechada estavel estaveis firme firmes forte fortes fraco fraca leve leves
  bom boa bons boas ruim mau grande grandes pequeno pequena novo nova novos novas velho alto alta altos baixo
  eis apesar alem enquanto mesmos mesmas so desde salvo tampouco bastante demasiado pouquissimo menos`;

/** The same for English: adverbs, prepositions, determiners, quantifiers and plain verbs. */
const ENGLISH_OPENERS = `right elsewhere anywhere everywhere somewhere nowhere here there unlike like alike
  versus whereas
  wherever whenever whichever whoever whatever somehow somewhat indeed anyhow anyway besides beside beneath beyond
  apart
  aside away back forth forward onward afterwards afterward beforehand lately soon sooner once twice often seldom
  rarely never ever always nearly almost about roughly approximately barely hardly merely simply just quite rather
  fairly pretty too enough maybe perhaps possibly probably likely certainly clearly surely plainly evidently
  apparently presumably notably namely especially particularly mainly mostly largely partly broadly generally
  specifically respectively similarly likewise conversely alternatively accordingly consequently therefore
  nevertheless nonetheless regardless otherwise subsequently previously formerly initially finally lastly firstly
  secondly eventually ultimately suddenly gradually slowly quickly steadily sharply slightly modestly strongly weakly
  firmly evenly equally jointly separately together altogether abroad overseas locally globally domestically
  externally internally technically statistically relatively comparatively absolutely effectively officially
  worldwide nationwide overnight intraday midweek weekend weekends mornings evenings amidst amongst atop barring
  concerning considering excepting failing following notwithstanding opposite outside inside pending plus minus
  regarding respecting round save throughout unto worth whether whose whom themselves itself himself herself
  ourselves yourself myself mine yours hers theirs ours my your his her him them us me they both half double
  plenty lots several various certain numerous countless ample scant sheer mere entire whole full empty
  buying selling holding paying asking bidding dealing hedging lending borrowing saving spending
  bid ask bids asks quote quotes fix fixes fixing mood moods sight scope scale size pace tone bias cost costs
  dominance depth turnover stocks coinage cash credit money pair pairs cross crosses wallet wallets chain chains
  network networks block blocks pool pools token tokens holder address addresses contract contracts supply demand
  does done doing goes going gone gets getting got gives given gave makes made making puts putting keeps keeping kept
  stays staying stayed sits sitting sat stands standing stood shows showing shown showed comes coming came takes
  taking took say says saying tells telling told means meaning meant marks marking points pointing remains remaining
  holds reads reading ranks ranking counts counting adds adding leads leaving left right wrong true false good bad
  big small large tiny high low new old young early late fast slow strong weak firm soft hard easy thin thick
  wide narrow deep shallow steep smooth rough calm busy active idle steady stable sharp modest robust solid fragile`;

/** Endings that names rarely have: those of adverbs, participles, gerunds, past tenses and nouns made from verbs. */
const WORD_ENDINGS_BY_LENGTH: readonly (readonly [number, string])[] = [
  [4, "mente|ção|ções|sões|[âê]ncias?|idades?|agem|agens|istas|dores|tores|eiros|eiras|antes|entes"],
  [3, "ando|endo|indo|ou|aram|eram|iram|[ai]d[oa]s?|ing|ed"],
  [4, "ly|ers|ors|ists|ness|tion|tions|ments|less|ful|ward|wards|wise"],
];
export const WORD_ENDINGS = new RegExp(
  WORD_ENDINGS_BY_LENGTH.map(([length, endings]) => `^\\p{L}{${length},}(?:${endings})$`).join("|"),
  "u",
);
/** Names that have such an ending nevertheless. */
export const NAMED_SO = setOf(`boeing beijing nanjing chongqing manning fleming harding golding keating sterling cushing
  ahmed mohamed mohammed muhammad alfred wilfred manfred siegfried winifred
  fernando orlando armando rolando hernando rosendo mendo machado salgado delgado furtado conrado amado prado
  penhado coronado quesada posada granada estrada moncada florida merida lerida candida placida almeida
  assuncao conceicao encarnacao ascensao trindade hangzhou guangzhou zhengzhou suzhou fuzhou wenzhou lanzhou
  sally kelly emily billy molly beverly lilly willy holly reilly italy grammarly bitly calendly
  rogers myers withers summers chambers sanders saunders anders powers meyers landers winkelvoss winklevoss reuters
  farmers bankers travelers travellers mckenzie anthropic partners moors connors victors horrors
  dolores flores torres cervantes dantes antes mendes guedes fuentes puentes restes
  accion orion hyperion ocean dimension marathon edward hayward woodward steward leeward`);

/**
 * Words a sentence may begin with although they are capitalised there. Anything else at its start is held to be a
  name.
 */
export const OPENERS =
  setOf(`a an the this that these those it its they their there here he she we our what which who why
  how when where while if as at after before by between both but and or not no nor for from in into on onto over under
  out of off up down near with within without across against along among amid around about above below beyond during
  despite since until till through throughout toward towards under upon via per versus yet so then than thus hence
  still even only also again alone already although though because besides instead meanwhile moreover however further
  furthermore overall today yesterday tomorrow tonight now later earlier next last first all any each every either
  neither none some such several many much more most less least few fewer other another same own one nothing something
  everything everyone nobody expect expected expects looking look watch see note compared relative measured taken set
  given adding realised realized weighted averaged ranked sorted including excluding based short long recent
  recently currently
  historically typically usually often
  sometimes daily weekly monthly yearly annual annualised hourly price prices volume volumes change changes fee fees
  funding rate rates yield yields curve curves market markets index indices breadth volatility inflation growth slope
  spread spreads trend trends sentiment regime risk risks macro crypto equity equities stock stocks bond bonds
  currency
  currencies commodity commodities gold oil futures forward forwards options trade trades trading traders investors
  buyers sellers holders miners banks total share shares value values data figures numbers facts news headlines
  reports
  report results similar history historical evidence support resistance levels level band bands direction signal
  signals strength weakness moves move movers flows open close closing opening real nominal core services labour jobs
  unemployment output activity industry exports imports trade reserves debt deficit surplus balance policy monetary
  fiscal external public private central breakeven implied expected unchanged flat higher lower rising falling
  positive
  negative mixed neutral bullish bearish quiet calm conditional seats votes vote weights weight score scores
  confidence
  dissent summary agreement disagreement supporting opposing invalidation catalysts thesis claim counter calls nothing
  there is are was were be been being has have had do does did can could may might must should would will let lets
  leading lagging sector sectors coins coin fear greed odd sixty corn soy cattle coffee ethanol soybeans farm feed
  o os as um uma uns umas de da do das dos em no na nos nas ao aos por pela pelo para com sem sob sobre entre
  ate desde
  apos antes durante contra segundo conforme e ou mas nem que se como quando onde enquanto embora porem contudo
  entretanto
  todavia portanto assim logo ja ainda tambem so somente apenas mesmo muito muitos pouco poucos mais menos hoje ontem
  amanha agora depois este esta estes estas esse essa esses essas isso isto aquele aquela ele ela eles elas seu
  sua seus
  suas nosso nossa cada todo toda todos todas outro outra outros outras algum alguma nenhum nenhuma nao sim ha
  houve foi
  foram e sao era eram esta estao estava ser ter tem taxa taxas juro juros curva inflacao preco precos volume variacao
  queda alta meta mercado mercados bolsa cambio moeda indice indices acoes acao maiores menores maior menor
  dados numeros
  fatos noticias risco riscos tendencia volatilidade relacao razao saca arroba boi milho soja cafe etanol trigo safra
  producao area divida resultado reservas balanca saldo exportacoes importacoes atividade desemprego emprego servicos
  credito politica fiscal externo externa contas proxima proximo agenda cripto medo ganancia regime entre inclinacao
  implicita real nominal focus pesquisa mediana fechamento abertura pregao destaque destaques altas baixas gatilhos
  nenhum contratos contrato futuro futuros base premio paridade trajetoria decisao reuniao
  ${ENGLISH_OPENERS}
  ${PORTUGUESE_OPENERS}`);
