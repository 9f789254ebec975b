(* Checks claims about cases on top of HOL Light. Every verdict rests on a kernel theorem of the very shape asked:    *)
(* facts |- claim  or  facts |- ~claim. Records, tab-separated, each with the word of this run that the caller drew:  *)
(*   HOLCHK word case claim PROVED|REFUTED|UNDECIDED|ERROR steps detail                                               *)
(* The phrases of a script are h_type, h_def, h_rec, h_defeat, h_facts, h_case, h_universal, h_existential, h_claim.   *)

prioritize_int();;

let h_word = ref "-" and h_count = ref 0;;
let h_steps = ref 0;;
let h_out case label verdict detail =
  incr h_count;
  Printf.printf "\nHOLCHK\t%s\t%s\t%s\t%s\t%d\t%s\n%!" !h_word case label verdict !h_steps
    (String.map (fun c -> if c = '\n' || c = '\t' then ' ' else c) detail);;

exception Stuck of term;;
exception Same of thm;;

(* the same claims come with every case of a rule base: each text is parsed once *)
let h_parsed : (string,term) Hashtbl.t = Hashtbl.create 9973;;
let h_parse = parse_term;;
let parse_term text =
  try Hashtbl.find h_parsed text with Not_found ->
  let tm = h_parse text in Hashtbl.replace h_parsed text tm; tm;;

(* ------------------------------------------------------------------ what has been declared *)
let h_undefined = new_definition `(h_undefined:A) = @x. F`;;
let h_defs : (string,thm) Hashtbl.t = Hashtbl.create 997;;          (* constant -> |- c x .. = body *)
let h_recs : (string * string,thm) Hashtbl.t = Hashtbl.create 997;; (* constant, constructor -> equation *)
let h_place : (string,int) Hashtbl.t = Hashtbl.create 97;;          (* constant -> place of the recursion argument *)
let h_types : (string,thm * thm) Hashtbl.t = Hashtbl.create 97;;    (* type -> induction, recursion *)
let h_consts : (string,unit) Hashtbl.t = Hashtbl.create 997;;       (* constructors *)
let h_equal : (string * string,thm Lazy.t) Hashtbl.t = Hashtbl.create 997;;(* two constructors -> |- ~(c = d) *)
let h_enums : (string,thm * thm) Hashtbl.t = Hashtbl.create 97;;    (* type -> !x. and ?x. written out *)

let h_lt = INST [`n:num`,`m:num`; `m:num`,`n:num`] (SPEC_ALL (CONJUNCT2 LT));; (* |- n < SUC m <=> n = m \/ n < m *)
let h_cond_t = prove (`!x y:A. (if T then x else y) = x`,REWRITE_TAC[])
and h_cond_f = prove (`!x y:A. (if F then x else y) = y`,REWRITE_TAC[]);;

let h_constructors ind =
  let body = snd (strip_forall (concl ind)) in
  map (fun t -> fst (strip_comb (rand (snd (strip_forall t)))))
      (conjuncts (fst (dest_imp body)));;

let h_constructor tm = is_const tm && Hashtbl.mem h_consts (fst (dest_const tm));;

(* |- n < k ==> n = 0 \/ .. \/ n = k - 1, for each k once *)
let h_below : (int,thm) Hashtbl.t = Hashtbl.create 17;;
let h_below_k k =
  try Hashtbl.find h_below k with Not_found ->
  let n = `n:num` in
  let rec go k = (* |- n < k ==> .. *)
    if k = 0 then REWRITE_CONV [LT] (mk_binop `(<):num->num->bool` n `0`) else
    let kk = mk_small_numeral k and j = mk_small_numeral (k - 1) in
    let suc = SYM (NUM_SUC_CONV (mk_comb (`SUC`,j))) in
    let th = TRANS (AP_TERM (mk_comb (`(<):num->num->bool`,n)) suc) (INST [j,`m:num`] h_lt) in
    if k = 1 then TRANS th (REWRITE_CONV [LT] (rand (concl th)))
    else TRANS th (AP_TERM (mk_comb (`(\/)`,mk_eq (n,j))) (go (k - 1))) in
  let th = go k in Hashtbl.replace h_below k th; th;;

(* a data type of constants only: as many numbers, which is much cheaper than define_type for many of them *)
let h_enumeration name cs =
  let k = List.length cs in
  let n = `n:num` in
  let pred = mk_abs (n,mk_binop `(<):num->num->bool` n (mk_small_numeral k)) in
  let less i = EQT_ELIM (NUM_LT_CONV (mk_binop `(<):num->num->bool` (mk_small_numeral i) (mk_small_numeral k))) in
  let there i = EQ_MP (SYM (BETA_CONV (mk_comb (pred,mk_small_numeral i)))) (less i) in
  let abs,rep = new_basic_type_definition name ("mk_" ^ name,"dest_" ^ name) (there 0) in
  let mk = rator (lhand (concl abs)) and dest = rator (rand (lhand (concl abs))) in
  let ty = type_of (rand (concl abs)) in
  let defs = List.mapi (fun i c -> new_definition (mk_eq (mk_var (c,ty),mk_comb (mk,mk_small_numeral i)))) cs in
  let consts = map (fun th -> lhand (concl th)) defs in
  let r = rand (lhand (concl rep)) in
  let number = List.mapi (fun i d ->                        (* |- dest C = i *)
    let th = EQ_MP (INST [mk_small_numeral i,r] rep) (there i) in
    TRANS (AP_TERM dest d) th) defs in
  let table = zip consts number in
  let differ (c,cn) (d,dn) =                               (* |- (C = D) <=> F *)
    let eq = mk_eq (c,d) in
    let th = TRANS (TRANS (SYM cn) (AP_TERM dest (ASSUME eq))) dn in
    let no = EQ_MP (NUM_EQ_CONV (concl th)) th in
    EQF_INTRO (NOT_INTRO (DISCH eq no)) in
  List.iter (fun (c,cn) -> List.iter (fun (d,dn) -> if c <> d then
    Hashtbl.replace h_equal (fst (dest_const c),fst (dest_const d)) (lazy (differ (c,cn) (d,dn)))) table) table;
  (* induction *)
  let p = mk_var ("P",mk_fun_ty ty bool_ty) and x = mk_var ("x",ty) in
  let each = list_mk_conj (map (fun c -> mk_comb (p,c)) consts) in
  let a = rand (concl abs) in
  let back = INST [x,a] abs in                             (* |- mk (dest x) = x *)
  let within = EQ_MP (SYM (INST [mk_comb (dest,x),r] rep)) (AP_TERM dest back) in
  let within = EQ_MP (BETA_CONV (concl within)) within in
  let cases = EQ_MP (INST [mk_comb (dest,x),n] (h_below_k k)) within in
  let case i th =                                          (* dest x = i |- P x *)
    let d = List.nth defs i in
    let eq = TRANS (TRANS d (AP_TERM mk (SYM th))) back in
    EQ_MP (AP_TERM p eq) (List.nth (CONJUNCTS (ASSUME each)) i) in
  let rec split th i = if i = 0 then case 0 th else
    let l,rest = dest_disj (concl th) in
    DISJ_CASES th (case i (ASSUME l)) (split (ASSUME rest) (i - 1)) in
  let px = split cases (k - 1) in
  let ind = GEN p (DISCH each (GEN x px)) in
  (* recursion *)
  let z = mk_vartype "Z" in
  let values = List.mapi (fun i _ -> mk_var ("f" ^ string_of_int i,z)) cs in
  let rec chain cs vs = match cs,vs with
      [_],[v] -> v | c :: cs',v :: vs' -> mk_cond (mk_eq (x,c),v,chain cs' vs') | _ -> failwith "chain" in
  let fn = mk_abs (x,chain consts values) in
  let at c v =
    let rec go tm = if tm = v then REFL tm else
      match tm with
        Comb (Comb (Comb (_,test),y),w) ->
          let l,d = dest_eq test in
          if l = d then TRANS (AP_THM (AP_THM (AP_TERM (rator (rator (rator tm))) (EQT_INTRO (REFL l))) y) w) (ISPECL [y; w] h_cond_t)
          else
            let th = AP_THM (AP_THM (AP_TERM (rator (rator (rator tm))) (Lazy.force (Hashtbl.find h_equal (fst (dest_const l),fst (dest_const d))))) y) w in
            let th = TRANS th (ISPECL [y; w] h_cond_f) in
            TRANS th (go (rand (concl th)))
      | _ -> failwith "at" in
    let th = BETA_CONV (mk_comb (fn,c)) in
    TRANS th (go (rand (concl th))) in
  let all = end_itlist CONJ (map2 at consts values) in
  let f = mk_var ("fn",mk_fun_ty ty z) in
  let goal = mk_exists (f,list_mk_conj (map2 (fun c v -> mk_eq (mk_comb (f,c),v)) consts values)) in
  let rcn = GENL values (EXISTS (goal,fn) all) in
  ind,rcn;;

let h_type name made =
  let parts = map (fun s -> filter (fun w -> w <> "") (String.split_on_char ' ' s)) (String.split_on_char '|' made) in
  let plain = List.length parts > 1 && forall (fun p -> List.length p = 1) parts in
  let ind,rcn = if plain then h_enumeration name (map hd parts) else define_type (name ^ " = " ^ made) in
  Hashtbl.replace h_types name (ind,rcn);
  List.iter (fun c -> Hashtbl.replace h_consts (fst (dest_const c)) ()) (h_constructors ind);;

let h_def tm =
  let th = new_definition tm in
  let th = SPEC_ALL th in
  let head = fst (strip_comb (lhand (concl th))) in
  Hashtbl.replace h_defs (fst (dest_const head)) th;;

let h_add_rec th =
  List.iter (fun th ->
    let th = SPEC_ALL th in
    let head,args = strip_comb (lhand (concl th)) in
    let rec place n = function
        [] -> failwith "h_rec: no constructor"
      | a :: rest -> let c = fst (strip_comb a) in
          if is_const c && (h_constructor c || mem (fst (dest_const c)) ["NIL";"CONS"]) then n,fst (dest_const c)
          else place (n + 1) rest in
    let n,c = place 0 args in
    let f = fst (dest_const head) in
    Hashtbl.replace h_place f n; Hashtbl.replace h_recs (f,c) th) (CONJUNCTS th);;

let h_rec over tm =
  let rcn = if over = "list" then list_RECURSION else snd (Hashtbl.find h_types over) in
  h_add_rec (new_recursive_definition rcn tm);;

(* ------------------------------------------------------------------ written-out quantifiers over a finite type *)
let h_written ty =
  let name = fst (dest_type ty) in
  try Hashtbl.find h_enums name with Not_found ->
  let ind,_ = Hashtbl.find h_types name in
  let cs = h_constructors ind in
  let p = mk_var ("P",mk_fun_ty ty bool_ty) and x = mk_var ("x",ty) in
  let px = mk_comb (p,x) in
  let each = list_mk_conj (map (fun c -> mk_comb (p,c)) cs) in
  let all = mk_forall (x,px) in
  let ind' = SPEC p ind in
  let ind' = MP ind' (ASSUME each) in
  let down = end_itlist CONJ (map (fun c -> SPEC c (ASSUME all)) cs) in
  let ALL = GEN p (IMP_ANTISYM_RULE (DISCH all down) (DISCH each ind')) in
  let np = mk_abs (x,mk_neg px) in
  let th = BETA_RULE (SPEC np ALL) in                       (* (!x. ~P x) <=> ~P c1 /\ ... *)
  let th = AP_TERM `(~)` th in
  let EX = GEN p (REWRITE_RULE [NOT_FORALL_THM; DE_MORGAN_THM] th) in
  Hashtbl.replace h_enums name (ALL,EX); (ALL,EX);;

(* ------------------------------------------------------------------ evaluation by kernel rules, lazy and three-valued *)
module Terms = Hashtbl.Make (struct type t = term let equal a b = a = b let hash tm = Hashtbl.hash_param 60 200 tm end);;
let h_facts : thm Terms.t = Terms.create 997;;             (* atom -> facts |- atom = value *)
let h_memo : thm Terms.t = Terms.create 997;;
let h_worth tm = let h = fst (strip_comb tm) in            (* values of declared constants are kept *)
  is_const h && (let n = fst (dest_const h) in Hashtbl.mem h_defs n || Hashtbl.mem h_place n);;
let h_shallow = ref false;;                                (* leave defined atoms alone *)
let h_clear () = Terms.reset h_facts; Terms.reset h_memo;;

let T_ = `T` and F_ = `F`;;
let h_four th = let l = CONJUNCTS th in List.nth l 0,List.nth l 1,List.nth l 2,List.nth l 3;;
let h_and1,h_and2,h_and3,h_and4 = h_four (TAUT `(!t. (F /\ t) = F) /\ (!t. (t /\ F) = F) /\ (!t. (T /\ t) = t) /\ (!t. (t /\ T) = t)`);;
let h_or1,h_or2,h_or3,h_or4 = h_four (TAUT `(!t. (T \/ t) = T) /\ (!t. (t \/ T) = T) /\ (!t. (F \/ t) = t) /\ (!t. (t \/ F) = t)`);;
let h_imp1,h_imp2,h_imp3,h_imp4 = h_four (TAUT `(!t. (F ==> t) = T) /\ (!t. (t ==> T) = T) /\ (!t. (T ==> t) = t) /\ (!t. (t ==> F) = ~t)`);;
let h_not1 = TAUT `(~T) = F` and h_not2 = TAUT `(~F) = T`;;
let h_iff = map (fun t -> TAUT t) [`(T <=> T) <=> T`; `(T <=> F) <=> F`; `(F <=> T) <=> F`; `(F <=> F) <=> T`];;
let h_at th tm = REWR_CONV th tm;;
let h_value th = rand (concl th);;
let h_ground ty = match ty with Tyapp (n,[]) -> n = "bool" || n = "int" || Hashtbl.mem h_types n | _ -> false;;

let rec h_eval tm =
  if tm = T_ || tm = F_ || is_intconst tm || h_constructor tm then REFL tm else
  try Terms.find h_facts tm with Not_found ->
  try Terms.find h_memo tm with Not_found ->
  incr h_steps;
  let th = try h_compute tm with Same th when lhand (concl th) = tm -> th in
  if not !h_shallow && h_worth tm then Terms.replace h_memo tm th; th

and h_then th = TRANS th (h_eval (h_value th))

and h_compute tm = match tm with
    Comb (Comb (Const ("/\\",_),a),b) -> h_connective a b F_ h_and1 h_and2 h_and3 h_and4 tm
  | Comb (Comb (Const ("\\/",_),a),b) -> h_connective a b T_ h_or1 h_or2 h_or3 h_or4 tm
  | Comb (Comb (Const ("==>",_),a),b) ->
      (match (try Some (h_eval a) with Stuck _ -> None) with
         Some th when h_value th = F_ -> TRANS (AP_THM (AP_TERM (rator (rator tm)) th) b) (h_at h_imp1 (mk_imp (F_,b)))
       | Some th -> h_then (TRANS (AP_THM (AP_TERM (rator (rator tm)) th) b) (h_at h_imp3 (mk_imp (T_,b))))
       | None -> let th = h_eval b in
           if h_value th = T_ then TRANS (AP_TERM (rator tm) th) (h_at h_imp2 (mk_imp (a,T_))) else h_eval a)
  | Comb (Const ("~",_) as n,a) ->
      let th = h_eval a in
      TRANS (AP_TERM n th) (if h_value th = T_ then h_not1 else h_not2)
  | Comb (Comb (Comb (Const ("COND",_),b),x),y) ->
      let th = try h_eval b with Stuck t ->
        if type_of x <> bool_ty then raise (Stuck t) else
        let tx = h_eval x and ty = h_eval y in
        if h_value tx <> h_value ty then raise (Stuck t) else
        raise (Same (TRANS (MK_COMB (AP_TERM (rator (rator tm)) tx,ty)) (h_at COND_ID (mk_cond (b,h_value tx,h_value ty))))) in
      let head = rator (rator (rator tm)) in
      let th' = AP_THM (AP_THM (AP_TERM head th) x) y in
      h_then (TRANS th' (h_at (if h_value th = T_ then h_cond_t else h_cond_f) (h_value th')))
  | Comb (Comb (Const ("=",_),a),b) ->
      let ta = h_eval a and tb = h_eval b in
      let th = MK_COMB (AP_TERM (rator (rator tm)) ta,tb) in
      TRANS th (h_equality (h_value th))
  | Comb (Comb (Const (("int_le" | "int_add" | "int_sub" | "int_mul") as op,_) as f,a),b) ->
      let ta = h_eval a and tb = h_eval b in
      let th = MK_COMB (AP_TERM f ta,tb) in
      let conv = match op with
          "int_le" -> INT_LE_CONV | "int_add" -> INT_ADD_CONV | "int_sub" -> INT_SUB_CONV | _ -> INT_MUL_CONV in
      TRANS th (conv (h_value th))
  | Comb (Const ("int_neg",_) as f,a) ->
      let th = AP_TERM f (h_eval a) in
      TRANS th ((INT_NEG_CONV ORELSEC REFL) (h_value th))
  | Comb (Const ("!",_),Abs (x,_)) -> h_quantified fst tm
  | Comb (Const ("?",_),Abs (x,_)) -> h_quantified snd tm
  | _ ->
      let head,args = strip_comb tm in
      if is_abs head && args <> [] then h_then (h_beta (List.length args) tm) else
      if not (is_const head) then raise (Stuck tm) else
      let name = fst (dest_const head) in
      if h_constructor head then h_rebuild tm else
      match (try Some (Hashtbl.find h_defs name) with Not_found -> None) with
        Some def ->
          if !h_shallow && not (String.length name > 1 && mem (String.sub name 0 2) ["h_"; "q_"]) then raise (Stuck tm) else
          h_then (h_unfold def tm)
      | None ->
          match (try Some (Hashtbl.find h_place name) with Not_found -> None) with
            None -> raise (Stuck tm)
          | Some place ->
              if List.length args <= place then raise (Stuck tm) else
              let arg = List.nth args place in
              let th = h_argument place tm arg in
              let tm' = h_value th in
              let c = fst (strip_comb (List.nth (snd (strip_comb tm')) place)) in
              let def = try Hashtbl.find h_recs (name,fst (dest_const c)) with _ -> raise (Stuck tm) in
              h_then (TRANS th (h_unfold def tm'))

(* the argument on which a recursion goes, in the form of a constructor *)
and h_argument place tm arg =
  let c = fst (strip_comb arg) in
  if is_const c && (h_constructor c || mem (fst (dest_const c)) ["NIL";"CONS"]) then REFL tm else
  let th = h_eval arg in
  let rec go tm n = (* replace the n-th argument from the right *)
    let f,x = dest_comb tm in
    if n = 0 then AP_TERM f th else AP_THM (go f (n - 1)) x in
  go tm (List.length (snd (strip_comb tm)) - 1 - place)

and h_unfold def tm =
  let l = lhand (concl def) in
  let n = List.length (snd (strip_comb l)) and m = List.length (snd (strip_comb tm)) in
  if m < n then raise (Stuck tm) else
  let rec up k tm = if k = 0 then REWR_CONV def tm else let f,x = dest_comb tm in AP_THM (up (k - 1) f) x in
  let th = up (m - n) tm in
  CONV_RULE (RAND_CONV (REDEPTH_CONV BETA_CONV)) th

and h_beta n tm = if n = 1 then BETA_CONV tm else (RATOR_CONV (h_beta (n - 1)) THENC BETA_CONV) tm

and h_rebuild tm = REFL tm

and h_connective a b stop s1 s2 g1 g2 tm =
  let f = rator (rator tm) in
  match (try Ok (h_eval a) with Stuck t -> Error t) with
    Ok th ->
      let th' = AP_THM (AP_TERM f th) b in
      if h_value th = stop then TRANS th' (h_at s1 (h_value th')) else h_then (TRANS th' (h_at g1 (h_value th')))
  | Error t ->
      let th = h_eval b in
      if h_value th = stop then TRANS (AP_TERM (rator tm) th) (h_at s2 (mk_comb (rator tm,stop))) else raise (Stuck t)

and h_equality tm =
  let a,b = dest_eq tm in
  if type_of a = bool_ty then tryfind (fun th -> REWR_CONV th tm) h_iff else
  if a = b then EQT_INTRO (REFL a) else
  if is_intconst a && is_intconst b then INT_EQ_CONV tm else
  if h_constructor a && h_constructor b then
    (try Lazy.force (Hashtbl.find h_equal (fst (dest_const a),fst (dest_const b))) with Not_found -> raise (Stuck tm))
  else raise (Stuck tm)

and h_quantified choose tm =
  let x,body = dest_abs (rand tm) in
  let ty = type_of x in
  if not (h_ground ty) || ty = bool_ty || not (Hashtbl.mem h_types (fst (dest_type ty))) then raise (Stuck tm) else
  let th = SPEC (rand tm) (choose (h_written ty)) in
  let l = lhand (concl th) in                       (* !x. (\x. body) x *)
  let same = ALPHA tm (h_value (BINDER_CONV BETA_CONV l)) in
  h_then (TRANS (TRANS same (SYM (BINDER_CONV BETA_CONV l))) (CONV_RULE (RAND_CONV (DEPTH_CONV BETA_CONV)) th));;

(* ------------------------------------------------------------------ the semantics of defeat, for every family of triggers *)
let h_defeat name goal overrides related applies rows =
  try
    let semantics = Hashtbl.find h_defs (fst (dest_const (fst (strip_comb (snd (dest_forall goal)))))) in
    let u = fst (dest_forall goal) in
    let th1 = h_unfold semantics (snd (dest_forall goal)) in
    let p,rest = dest_forall (h_value th1) in
    let c,_ = dest_forall rest in
    let beaten = Hashtbl.find h_defs "h_beaten" in
    let over = Hashtbl.find h_defs overrides and rels = map (Hashtbl.find h_defs) related in
    let eqs a = (* constructor equations met on the way *) fun tm ->
      let l,r = dest_eq tm in
      if l = a && r = a then EQT_INTRO (REFL a)
      else if l = a && h_constructor r then Lazy.force (Hashtbl.find h_equal (fst (dest_const a),fst (dest_const r)))
      else failwith "eqs" in
    let simp = GEN_REWRITE_CONV TOP_DEPTH_CONV
      (basic_rewrites () @ [RIGHT_OR_DISTRIB; EXISTS_OR_THM; UNWIND_THM2; EXISTS_REFL]) in
    let one (pol,standing,_) =
      let body = subst [pol,p] (snd (strip_forall rest)) in
      let cv = TOP_DEPTH_CONV (REWR_CONV beaten ORELSEC REWR_CONV over ORELSEC FIRST_CONV (map REWR_CONV rels) ORELSEC eqs pol) THENC simp in
      let app = TOP_DEPTH_CONV (fun tm ->
        let h,args = strip_comb tm in
        if is_const h && fst (dest_const h) = applies && List.length args = 3 && is_const (List.nth args 1)
        then h_unfold (Hashtbl.find h_recs (applies,fst (dest_const (List.nth args 1)))) tm else failwith "app") in
      let def = Hashtbl.find h_defs (fst (dest_const standing)) in
      let th = (cv THENC app THENC ONCE_DEPTH_CONV (fun tm -> if fst (strip_comb tm) = standing then REWR_CONV def tm else failwith "s")) body in
      let close = prove (h_value th,CONV_TAC TAUT) in
      EQ_MP (SYM th) close in
    let each = map (fun row -> GEN c (one row)) rows in
    let ALL,_ = h_written (type_of p) in
    let pred = mk_abs (p,rest) in
    let all = CONV_RULE (BINOP_CONV (DEPTH_CONV BETA_CONV)) (SPEC pred ALL) in
    let th = EQ_MP (SYM all) (end_itlist CONJ each) in
    let th = GEN u (EQ_MP (SYM th1) th) in
    if concl th = goal && hyp th = [] then h_out name "defeat" "PROVED" "" else h_out name "defeat" "UNDECIDED" "shape"
  with Failure s -> h_out name "defeat" "ERROR" s | Not_found -> h_out name "defeat" "ERROR" "unknown name"
     | Stuck t -> h_out name "defeat" "ERROR" (string_of_term t);;

(* ------------------------------------------------------------------ cases of which facts are told *)
let h_models : (string,thm) Hashtbl.t = Hashtbl.create 97;;   (* case type -> !v .. ?c. facts with those values *)
(* components: (selector, fact type or "", variable) in the order of the constructor's arguments *)
let h_model ctype =
  try Hashtbl.find h_models ctype with Not_found ->
  let ind,_ = Hashtbl.find h_types ctype in
  let con = hd (h_constructors ind) in
  let tys = fst (splitlist dest_fun_ty (type_of con)) in
  let c = mk_var ("c",mk_type (ctype,[])) in
  let sels = Hashtbl.fold (fun (f,k) th acc ->
    if k = fst (dest_const con) && List.length (snd (strip_comb (lhand (concl th)))) = 1 then th :: acc else acc) h_recs [] in
  let vars = List.mapi (fun i ty -> mk_var ("x" ^ string_of_int i,ty)) tys in
  let whole = list_mk_comb (con,vars) in
  let conjs,exs = unzip (List.mapi (fun i ty ->
    let v = List.nth vars i in
    let sel = List.find (fun th ->
      let l,r = dest_eq (concl th) in r = List.nth (snd (strip_comb (rand l))) i) sels in
    let s = rator (lhand (concl sel)) in
    match (try Some (dest_fun_ty ty) with Failure _ -> None) with
      Some (d,r) ->
        let dind,drec = Hashtbl.find h_types (fst (dest_type d)) in
        let cs = h_constructors dind in
        let values = List.mapi (fun k _ -> mk_var ("y" ^ string_of_int i ^ "_" ^ string_of_int k,r)) cs in
        let told f = list_mk_conj (map2 (fun k y -> mk_eq (mk_comb (f,k),y)) cs values) in
        told (mk_comb (s,c)),(values,Some (v,prove_recursive_functions_exist drec (told v)))
    | None -> mk_eq (mk_comb (s,c),v),([v],None)) tys) in
  let body = list_mk_conj conjs in
  let goal = list_mk_forall (List.concat (map fst exs),mk_exists (c,body)) in
  let chosen = List.concat (map (fun (_,e) -> match e with Some e -> [e] | None -> []) exs) in
  let th = prove (goal,
    REPEAT GEN_TAC THEN
    MAP_EVERY (fun (v,th) -> X_CHOOSE_TAC v th) chosen THEN
    EXISTS_TAC whole THEN ASM_REWRITE_TAC sels) in
  Hashtbl.replace h_models ctype th; th;;

let h_told fact = (* facts as |- atom = value *)
  let th = ASSUME fact in
  if is_neg fact then EQF_INTRO th
  else if is_eq fact && type_of (lhand fact) <> bool_ty then th else EQT_INTRO th;;

(* facts |- exists a case of which exactly these hold; fails where they contradict each other or leave one out *)
let h_exists facts =
  let fv = itlist (union o frees) facts [] in
  match fv with
    [c] ->
      let th = h_model (fst (dest_type (type_of c))) in
      let vs,body = strip_forall (concl th) in
      let rows = conjuncts (snd (dest_exists body)) in
      let value v =
        let atom = lhand (List.find (fun e -> rand e = v) rows) in
        let hits = filter (fun f -> (if is_neg f then rand f = atom else if is_eq f then lhand f = atom else f = atom)) facts in
        (match hits with
           [f] -> if is_neg f then F_ else if f = atom then T_ else rand f
         | [] -> failwith ("not told: " ^ string_of_term atom)
         | _ -> failwith ("told twice: " ^ string_of_term atom)) in
      let th = SPECL (map value vs) th in
      let th = CONV_RULE (BINDER_CONV (GEN_REWRITE_CONV TOP_DEPTH_CONV [TAUT `(p <=> T) <=> p`; TAUT `(p <=> F) <=> ~p`])) th in
      let found = conjuncts (snd (dest_exists (concl th))) in
      if subset facts found && subset found facts then th else failwith "facts of another case"
  | _ -> failwith "facts of one case expected";;

let h_decide facts tm =
  match (try Ok (h_eval tm) with Stuck t -> Error (string_of_term t) | Failure s -> Error s) with
    Error s -> "UNDECIDED",s,None
  | Ok th ->
      let fine th = forall (fun h -> mem h facts) (hyp th) in
      if h_value th = T_ && fine th then
        let th = EQT_ELIM th in if concl th = tm then "PROVED","",Some th else "UNDECIDED","shape",None
      else if h_value th = F_ && fine th then
        let th = EQF_ELIM th in if concl th = mk_neg tm then "REFUTED","",Some th else "UNDECIDED","shape",None
      else "UNDECIDED",string_of_term (h_value th),None;;

let h_guard case f =
  try f () with
    Failure s -> h_out case "exception" "ERROR" s
  | Stuck t -> h_out case "exception" "ERROR" (string_of_term t)
  | Not_found -> h_out case "exception" "ERROR" "unknown name"
  | e -> h_out case "exception" "ERROR" (Printexc.to_string e);;

let h_load facts = List.iter (fun f -> let th = h_told f in Terms.replace h_facts (lhand (concl th)) th) facts;;

let h_case case facts claims = h_guard case (fun () ->
  h_clear (); h_steps := 0; h_shallow := false;
  (match (try Ok (h_exists facts) with Failure s -> Error s | Not_found -> Error "unknown fact") with
     Ok _ -> h_out case "facts" "PROVED" ""
   | Error s -> h_out case "facts" "UNDECIDED" s);
  h_load facts;
  List.iter (fun (label,tm) ->
    h_steps := 0;
    let verdict,detail,_ = h_decide facts tm in
    h_out case label verdict detail) claims);;

(* ------------------------------------------------------------------ questions about all cases *)
type h_tree = Split of int * h_tree * h_tree | Defined of int | Order of int * int | Given | Goal;;
let h_known : thm Terms.t = Terms.create 97;;     (* |- relation = T or F, of this question *)

(* relation R P Q, as !c. R c ==> body: (theorem relation <=> that, c, R c, body) *)
let h_open goal =
  let def = Hashtbl.find h_defs (fst (dest_const (fst (strip_comb goal)))) in
  let th = h_unfold def goal in
  let c,rest = dest_forall (h_value th) in
  let given,body = dest_imp rest in
  th,c,given,body;;

(* what a defined atom stands for, one step down *)
let h_cond_eq = prove (`!b x y z:A. ((if b then x else y) = z) <=> (if b then x = z else y = z)`,
  REPEAT GEN_TAC THEN COND_CASES_TAC THEN REWRITE_TAC[]);;
let rec h_down tm = (* a decision that is such: its choice is turned into a condition *)
  if is_eq tm then
    let th = AP_THM (AP_TERM (rator (rator tm)) (h_unfold (Hashtbl.find h_defs (fst (dest_const (fst (strip_comb (lhand tm)))))) (lhand tm))) (rand tm) in
    let first = map (fun c -> Hashtbl.find h_recs ("h_first",c)) ["NIL";"CONS"] in
    let told = Hashtbl.fold (fun (f,c) eq acc ->
      if is_const (lhand (concl eq)) || List.length (snd (strip_comb (lhand (concl eq)))) <> 1 || not (h_constructor (rand (concl eq))) then acc else eq :: acc) h_recs [] in
    let conv = GEN_REWRITE_CONV TOP_DEPTH_CONV (first @ told @ [h_cond_eq]) in
    TRANS th (conv (h_value th))
  else
  let name = fst (dest_const (fst (strip_comb tm))) in
  match (try Some (Hashtbl.find h_defs name) with Not_found -> None) with
    Some def -> h_unfold def tm
  | None ->
      let place = Hashtbl.find h_place name in
      let c = fst (dest_const (fst (strip_comb (List.nth (snd (strip_comb tm)) place)))) in
      h_unfold (Hashtbl.find h_recs (name,c)) tm;;

let h_universal case label goal atoms tree = h_guard case (fun () ->
  h_steps := 0; h_shallow := true; h_clear ();
  let start,c,given,body = h_open goal in
  let atoms = Array.of_list atoms in
  let deny = mk_neg body in
  let known = Hashtbl.create 97 in                            (* place of an atom -> lit |- *)
  let eval_from th = (* evaluate a defined term, unfolding its head until atoms are met *)
    TRANS th (h_eval (h_value th)) in
  let rec whole tm = (* unfold what a question defines, down to its atoms *)
    try h_eval tm with Stuck _ -> eval_from (h_down tm) in
  let given_down = try h_down given with Failure _ | Not_found -> REFL given in
  let contradiction th1 th2 = (* lit |- atom = v, |- atom = not v *)
    let th = TRANS (SYM th1) th2 in
    if h_value th = T_ then EQ_MP (SYM th) TRUTH else EQ_MP th TRUTH in
  let lit i = Hashtbl.find known i in
  let rec go tree = match tree with
      Given -> let th = eval_from given_down in
           if h_value th = F_ then EQ_MP th (ASSUME given) else failwith "Given: the given does not fail"
    | Goal -> let th = whole body in
           if h_value th = T_ then MP (NOT_ELIM (ASSUME deny)) (EQT_ELIM th) else failwith "Goal: the body does not hold"
    | Defined i -> let th = eval_from (h_down atoms.(i)) in
             contradiction (lit i) th
    | Order (i,j) ->
        let a,b = EQT_ELIM (lit i),EQF_ELIM (lit j) in        (* |- &k <= n , |- ~(&m <= n) with m <= k *)
        let m = lhand (rand (concl b)) and k = lhand (concl a) in
        let le = EQT_ELIM (INT_LE_CONV (mk_comb (mk_comb (rator (rator (concl a)),m),k))) in
        MP (NOT_ELIM b) (MATCH_MP INT_LE_TRANS (CONJ le a))
    | Split (i,yes,no) ->
        let atom = atoms.(i) in
        let side value tree =
          let hyp = if value then atom else mk_neg atom in
          let th = if value then EQT_INTRO (ASSUME hyp) else EQF_INTRO (ASSUME hyp) in
          Hashtbl.replace known i th; Terms.replace h_facts atom th;
          incr h_steps;
          let found = go tree in
          Hashtbl.remove known i; Terms.remove h_facts atom; found in
        let a = side true yes in
        let b = side false no in
        DISJ_CASES (SPEC atom EXCLUDED_MIDDLE) a b in
  let th = go tree in
  let th = CCONTR body th in
  let th = GEN c (DISCH given th) in
  let th = EQ_MP (SYM start) th in
  h_shallow := false;
  if concl th = goal && hyp th = [] then (Terms.replace h_known goal (EQT_INTRO th); h_out case label "PROVED" "")
  else h_out case label "UNDECIDED" "shape");;

(* a record that shows that a relation does not hold *)
let h_existential case label goal facts = h_guard case (fun () ->
  h_clear (); h_steps := 0; h_shallow := false;
  let start,c,given,body = h_open goal in
  let there = h_exists facts in
  h_load facts;
  let th1 = h_eval given and th2 = h_eval body in
  if h_value th1 <> T_ then h_out case label "UNDECIDED" "the record is not among the cases that can occur"
  else if h_value th2 <> F_ then h_out case label "UNDECIDED" "the record shows nothing"
  else
    let all = h_value start in
    let inst = MP (SPEC c (ASSUME all)) (EQT_ELIM th1) in
    let th = MP (NOT_ELIM (EQF_ELIM th2)) inst in            (* facts, all |- F *)
    let conj = snd (dest_exists (concl there)) in
    let th = itlist (fun fact th -> PROVE_HYP fact th) (CONJUNCTS (ASSUME conj)) th in
    let th = CHOOSE (c,there) th in
    let th = NOT_INTRO (DISCH all th) in
    let th = EQF_INTRO (EQ_MP (AP_TERM `(~)` (SYM start)) th) in
    if lhand (concl th) = goal && hyp th = [] then (Terms.replace h_known goal th; h_out case label "REFUTED" "")
    else h_out case label "UNDECIDED" "shape");;

let h_question case = Terms.reset h_known;;

(* a closed claim that rests on the relations settled for this question *)
let h_claim case label tm = h_guard case (fun () ->
  h_clear (); h_steps := 0; h_shallow := false;
  Terms.iter (fun k th -> Terms.replace h_facts k th) h_known;
  let verdict,detail,_ = h_decide [] tm in
  h_out case label verdict detail);;

let h_finish () =
  let ok = set_eq (map concl (axioms ())) (map concl [INFINITY_AX; SELECT_AX; ETA_AX]) in
  h_out "-" "axioms" (if ok then "PROVED" else "ERROR") (string_of_int (List.length (axioms ())));
  Printf.printf "\nHOLCHK\t%s\tEND\t%d\n%!" !h_word !h_count;;
