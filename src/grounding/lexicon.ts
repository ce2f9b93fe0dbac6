import type { NumberLocale } from "./facts.ts";

const split = (words: string): readonly string[] => words.split(/\s+/).filter((word) => word !== "");
const setOf = (words: string): ReadonlySet<string> => new Set(split(words));

/** Words are without accents, as tokens are folded. Both languages' words hold in both: models mix them. */

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

/** Comparisons right before a figure: whether the figure before them must be the larger one. */
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

/** Numbers in words, which must be digits; "one" and "um" are more often no numbers and count only beside a unit. */
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

/** Words that state a multiple or a part; a cited fact must have about that value. */
export interface Quantity {
  /** As a ratio; a change in percent is the ratio less one. */
  readonly ratio: number;
  /** Whether it tells of a move ("halved") and not of a part ("half of"). */
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

/** Words that claim an extreme; a cited fact's label must say the same word, or one of its group. */
const EXTREMES: readonly string[] = [
  "record recorde unprecedented inedito inedita historica historico",
  "largest biggest greatest most strongest maior maiores mais",
  "highest peak top maxima maximo pico",
  "smallest least weakest menor menores menos",
  "lowest bottom trough minima minimo",
  "majority maioria",
  "minority minoria",
];
export const EXTREME_GROUPS: ReadonlyMap<string, number> = new Map(
  EXTREMES.flatMap((words, group) => split(words).map((word) => [word, group] as const)),
);
/** These are extremes only after an article or "at a": "mais" alone compares. */
export const WEAK_EXTREMES = setOf("mais menos maior menor maiores menores top");

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
/** Names of months that are words of another meaning too, or short forms: months only beside a number. */
export const WEAK_MONTHS = setOf(
  "may march mar jan feb fev apr abr mai jun jul aug ago sep sept set oct out nov dec dez",
);

export const WEEKDAYS: Readonly<Record<string, number>> = Object.fromEntries(
  split("sunday monday tuesday wednesday thursday friday saturday").map((word, index) => [word, index]),
);
/** With "-feira" behind the first five. */
export const WEEKDAYS_PT: Readonly<Record<string, number>> = {
  ...{ domingo: 0, segunda: 1, terca: 2, quarta: 3, quinta: 4, sexta: 5, sabado: 6 },
};

/** Words that begin a clause of their own. */
export const CLAUSE_WORDS = setOf(`and while but whereas though although as after before when versus
  e enquanto mas porem apos quando embora ja`);

/** Words by which a sentence supposes instead of telling. */
export const CONDITIONALS = setOf("if would could may might should unless se caso poderia pode seria");

export const STOP_WORDS: Readonly<Record<NumberLocale, ReadonlySet<string>>> = {
  en: setOf("the of and to in is at that for with from was are were by an its this has have been which than"),
  "pt-BR": setOf("de da do das dos que em no na nos nas uma para com ao aos foi sao esta pela pelo os um mais se ha"),
};

/** What a text on markets may be about, whatever its facts. */
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

/** Names any text may use. */
export const COMMON_NAMES =
  setOf(`us usa eu uk un utc gmt gdp cpi pce pmi ppi fx etf etfs fed fomc ecb boe boj copom selic
  ipca igp igpm inpc ibge bcb bc cdi di ptax b3 ibov ibovespa pib focus anbima usd brl eur gbp jpy cny chf aud
  cad mxn btc
  eth sol america american americans europe european japan japanese china chinese brazil brazilian brasil brasileiro
  brasileira london tokyo york new united states euro dollar real wall street treasury treasuries banco central
  ii iii iv
  ai api i rsi atr sma ema apr apy tvl defi dex cex nft`);

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
  nenhum contratos contrato futuro futuros base premio paridade trajetoria decisao reuniao`);
