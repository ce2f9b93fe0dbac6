/**
 * Words a sentence may begin with although no list of openers has them: stems of common verbs, nouns and
 adjectives of
 * both languages with the endings they take. Any other word at a sentence's start is treated as a name. Words
 * that are also names of companies or protocols (circle, strategy, maker, compound, target) are left out.
 */
const split = (words: string): readonly string[] => words.split(/\s+/).filter((word) => word !== "");

const withEndings = (stems: string, endings: string): readonly string[] =>
  split(stems).flatMap((stem) => split(endings).map((ending) => (ending === "-" ? stem : stem + ending)));

const ENGLISH = [
  // Verbs that take "ed" and "ing" as they are.
  ...withEndings(
    `add aim allow answer appear ask assess attract await back belong book borrow bounce buy call check climb collect
    confirm consider contain convert count cover dampen deliver demand depend detail direct discount display drift
    earn edge end enter exceed expand expect explain extend fail fall favour favor fear figure fill find flow follow
    forecast form gain gather go grant grow halt hand happen head help hint hold import export indicate intend invest
    jump keep lag land lead lean learn lend lift light limit list load look lower mark match mean meet mention miss
    mount near need obtain offer open own part pass pay perform point post predict present press print profit prompt
    protect pull push quicken raise rally range reach read recall record recover reflect remain remember report
    request rest return reveal rest retain sell send set shed shift show signal slow sound span spend stand start stay
    stick strengthen stress suggest support surpass talk tend test think touch track trail turn view visit wait walk
    want watch weaken weigh widen win wind work yield absorb accept accrue act adapt address adjust admit advance
    affect afford alert alter amount appeal apply approach argue arrive attempt avoid benefit break bring build calm
    carry catch claim collapse comment concern conclude construct correct crowd cut deal deem defend depict
    deposit devote differ discuss draw drop eas elect employ enjoy exhibit exist exit express face fit focus fuel
    function gauge hedge hover hurt inform insist investor issue join judge kick know last laugh lay leave let link
    listen live lock lose maintain manag master matter measur mix monitor neglect note notic observ occupy occur
    offset
    oppose order outline outpac owe overcom paint pick place plan plot plung prefer prepar prevail proceed produc
    promis propos prov provid publish punish purchas put quot rank rat react realis receiv reckon recogni redeem
    reduc refer refus regard regain reject relat releas rely remov renew repay repeat replac requir resist resolv
    respond restor restrain resum revers revis reward rid rul run sav scal seek seem separat serv settl shrink sit
    sort
     split spread squeez stabilis stagnat stem stop strain stretch strik struggl study submit succeed suffer
    summari suppl suppos surg surround swap swing tak tell threaten tighten ton top total tow trad transfer translat
    treat trigger trim triumph trust try tumbl underlin understand unwind updat us valu vari wan warn wip witness
    wonder worr worsen writ compar involv combin exclud includ assum estimat indicat calculat illustrat investigat`,
    "- s es ed d e ing er ers or ors able ation ations ment ments",
  ),
  // Nouns and adjectives.
  ...withEndings(
    `account agent analyst asset average balance bank barrel base benchmark border borrower bottom bound branch budget
    bull bear business buyer capital case cash cause chance chart choice city client comfort commerce community
    condition consumer contrast corner cost council country couple course crisis crop cycle deadline dealer debate
    debtor decade decimal degree desk detail device difference distance dividend dollar door doubt driver economist
    economy edge effect effort energy engine entry error event evening example exchange expense expert exporter extra
    factor family farm farmer firm flight floor foreigner fraction friction front future game gap glance goal good
    government grain group half harvest hour house household idea image impact importer impulse income increase
    industry insight instance institution insurer interest item job journey knowledge lack lane language lender lesson
    letter line loan look lot majority manager margin market metal method midday middle midnight minority minute model
    month morning mortgage motion nation neighbour network night noon number object occasion offer office officer
    operator opinion outcome page pair panel paper partner party past path pattern pause payer people percentage
    period
    person phase picture piece place point pool population position potential power practice premium presence pressure
    producer product profile program progress project proportion protocol proof purpose quarter question race rain
    reader reason recession recovery reference reform refuge region regulator relief remainder rest retailer retreat
    revenue revision road role room rule saver saving scene schedule season section seller sense series session side
    sign size society sort source sovereign speculator speed staff stage stake standard state statement step story
    stream street stretch strip struggle style subject success sum summer surface surprise survey system table talk
     task tax team technology teller term theme theory thing thought thread threshold tie time tip title
    today tool topic touch town track trader tradition traffic train turn twist type unit user variety version view
    wage wait wall warning watcher wave way wealth weather week weekday weekend while wind winter witness wonder word
    worker world worry writer year zone
    retiree patience underneath pricey mid anxiety anger hope
    joy panic calmness caution prudence courage ease relief euphoria hype noise silence weakness toughness proof truth
    doubt logic luck health safety peace war crime weather nature science art culture sport music food water air fire
    midday midmonth midyear midnight afternoon noon dawn dusk breakfast lunch dinner pensioner student teacher doctor
    parent child children men women mother father friend family neighbour crowd public shopper tourist traveller diner
    halfway momentum midpoint steep sideways backdrop little anyone someone everybody somebody anybody anything
    crowded restrictive loose tight calmer stronger weaker
    cheaper dearer costlier pricier softer firmer higher lower wider narrower faster slower further farther nearer
    closer earlier later better worse common rare usual unusual normal abnormal recent ancient modern local foreign
    domestic global regional national public private official formal informal direct indirect simple complex plain
    fresh stale liquid illiquid volatile stable risky safe cautious careful brave nervous anxious patient eager keen
    optimistic pessimistic hopeful fearful greedy fair unfair fine poor rich rough thorough true untrue vast wise`,
    "- s es ly",
  ),
];

const PORTUGUESE = [
  // Verbs in -ar.
  ...withEndings(
    `abal acab aceler aceit acompanh aconselh acumul adiant adot afast afet agrad agrav aguard ajud ajust alarg alcanc
    alert alivi alter amplia analis anot antecip anul apag aperfeico apert apont apoi aposta apost apresent aproveit
    aproxim ar arrast arrecad assegur assinal atra atras atu aument autoriz avali avanc avis baix balanc bast busc cai
    calcul calm cancel cans cheg cit coloc comec coment compar compens complet compr comprov comunic concentr confirm
    consider consolid constat consult cont contabiliz continu contrast contrat control convers cort cri cruz
    cuid custa cust declar deix demand demonstr demor depend desacelr desacelera descart descol desenh desloc despenc
    desper destac detalh deton determin dificult disput dispar dobr dur efetu elev elimin emprest encerr encontr engat
    enfrent ensaia ensai entr envi enxerg equilibr esboc escal esfri espalh esper espelh est estabiliz estim estreit
    estud evit exager explic export falt fech fic financi firm flutu form fortalec forn fraquej freia fre funcion
    fund ganh gast ger gir guard guarda habilit hesit ignor ilustr import inaugur indic influenci inici inspir
    interess intensific inverte investig jog julg junt justific lanc lev levant liber lider lig limit liquid list
    localiz lucr mant med melhor menci mir modific monitor most mostr mud negoci not observ ocup ofert oper
    orden orient oscil pag particip pass paut pe pens perdur pes pesquis pioro pior plan pontu poup preci
    precific precis predomin prefer prepar preocup pression principi prioriz process procur projet prolong pront
    provoc public pux qued qualific quebr queim questiona quest quit reajust realiz rebaix recomend reconquist
    recuper reforc registr reit rejeit relat releva remuner renov repar repetir report represent respald respeit
    rest result retard retir retom retrat revel rivaliz rol rond salt sald segur sinaliz sobr som sofr sopr sugest
    super suport sustent tard tent termin tir toc tom torn trabalh trat transform trav troc trope ultrapass us
    valoriz vari vigor vir virou viv volt vot`,
    "ar a am o ou aram ava avam ando ado ada ados adas amos e em ara aria asse arem",
  ),
  // Verbs in -er and -ir.
  ...withEndings(
    `aconte acontec aparec atend bat beb ced cheg colh comec compreend conhec convenc corr correspond cresc dec defend
    depend desc dev diz encolh enfraquec entend envolv escolh escrev estend exced exig faz fortalec forne fornec
    interromp mant mex mov nasc obed obt ocorr of ofere oferec parec perceb perd permanec pod pretend promet promov
    prometh quer reaparec receb reconhec redu renasc rend resist resolv respond romp sab satisfaz sofr surpreend tend
    traz val vend venc ver viv abr adquir ag agred assist assum atribu coincid conclu conduz confer consegu consist
    constitu consum contribu corrig cumpr decid defin dilu dirig discut distribu divid divulg emit exib exist expand
    exprim fig flu garant imped imprim inclu influ inser insist instru interfer introduz invest mant med part permit
    persegu persist possu prefer prev produz prossegu proib que reag reduz reflet reg repet requer restring result
    retra reun sa segu sent serv sub suger sum surg traduz transmit un`,
    "er ir e em i eu iu eram iram endo indo ido ida idos idas emos imos ia iam a am era ira eria iria",
  ),
  // Nouns and adjectives with plural and gender.
  ...withEndings(
    `acionist agent ajust alt altitud analist ano aperto apur apost aport ativ aument aval banc barr bas beneficiad
    benefici bloc bol brech brasileir calendari capit carg cas cenari cert choqu ciclo cicl cifr client clim cob
    cois comerci compass companhi comprometid comunidad condic conjunt conjuntur consens consumid contexto contrapont
    controle cor correnteza cort credor crescent criterio cris critic curv cust dad debat decad decret deficit degrau
    demand depend depoi desafi desconto desej desempenh despes destin desvi detalh dever di diferenc dinheir direc
    discuss divis document domic domestic duvid econom economist efeit element elevad embat empreg empres energi
    ensaio equip err esforc especulad espac especi esper espect esperanc essenci estabil estatistic estim estrangeir
    estrategist estrutur etap event evidenci exempl exportad extern faixa faix falh famili fas fat fator feij fenomen
    ferrament figur fim financ fisc fluxo foc fol fort frac frent front fund futur ganho gast gestor global govern
    gran grau grup histori hor ide imagem imediat impact import importad impost impuls incert indicador individ
    industri inform inici intern internacion invers janel jornad jur lad largur leit lembranc levantament limit linh
    list lucr lug luz maioria mand manhas maquin marg mascar matem materi medid melhor mem mercador metad metod
    milh min minori misto modelo mod moed moment motiv mudanc mund municipi nac necess negoci nivel niveis norm
    novidad num numer objetiv obr observad operad ordem orcament origem otic otim padr pag pais paineis painel palavr
    panic pap parcel parte part pass patamar paus pec pequen percentual perd perfil period pergunt permanenci
    perspectiv pes pesquisad pessoa pico plan plat pobr pod polit pont populac porcent portador posic positiv possibil
    poss potenci poupador povo prat praz precific prefer prefix premi presenc press previs primeir princip problem
    process produt produtor programa progress projet propor propost protecao prov public quadr qualidad quantidad
    quant quart quebr quest quinzen rapid razoe reac recent receit recess recorrent recuper recurs redor reforc
    regiao regul relat remess repercuss report reserv resistenc respost rest restritiv result retom retorn reunio risc
    ritm rod rumo safr sald salt seca seguranc segund semestr sensa seri serv setor sil simb simul situac sobr soci
    solu som sucess suficient superavit superfici suport surpres taman tarif tec tecnic tel temp tend teor terc termo
    territori test texto tip titul tom top total trabalhad trabalh tradic tramite transac transic transparenc trimestr
    troc ultim unidad urgenc us usuari util valor valoriz vantag variav vel velocid vencid vend verb versao vez
    viag vid visao visto volatil volt vontad voto xeque zona
    ingreme dai barato caro tamanh ansios calm tranquil nervos animad
    cautelos otimist pessimist turist viajant aposentad estudant professor medic mulher homem homens mulheres crianc
    jovem jovens pai pais mae maes amig vizinh vizinhanc paciencia ansiedade alegria tristeza calma pressa pressoes
    sorte azar saude seguranca paz guerra tempo clima natureza cienci art cultur esport musica comida agua ar fogo
    madrugada meiodia almoco jantar cafe lente rapid veloz caminho estrada mesa daqui alheio adiante aquele quatro
    dois pouca poucas bastantes demais menores pouquissimos`,
    "- a o as os e es s is ais oes ao ade ades",
  ),
];

/** Folded, as tokens are. */
export const COMMON_WORDS: ReadonlySet<string> = new Set([...ENGLISH, ...PORTUGUESE]);
