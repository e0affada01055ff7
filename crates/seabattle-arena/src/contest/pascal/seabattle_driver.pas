{ Plays a unit of the contest as a bot of docs/protocol.md: DRIVER SETS.
  Words between at signs are replaced before it is compiled. }
program Seabattle_Driver;

{$mode objfpc}{$H+}

{ The last unit wins where two export the same name: the contest's own names are in none but the bot. }
uses
  @USES@@UNIT@, Seabattle_Protocol;

{$if not declared(getMap)}{$fatal no function getMap}{$endif}
{$if not declared(shoot)}{$fatal no function shoot}{$endif}

var
  Sets: Integer;
  HasBegun: Boolean = False;
  IsInSet: Boolean = False;
  IsContest: Boolean = True;

function Fleet: string;
var
  Drawn: @MAP@;
  Map: TProtocolMap;
  Row, Column: Integer;
begin
  Drawn := @UNIT@.getMap();
  if Length(Drawn) <> LastIndex + 1 then
    Exit(NoMap);
  for Row := 0 to LastIndex do
  begin
    if Length(Drawn[Low(Drawn) + Row]) <> LastIndex + 1 then
      Exit(NoMap);
    for Column := 0 to LastIndex do
      Map[Row, Column] := Ord(Drawn[Low(Drawn) + Row][Low(Drawn[Low(Drawn) + Row]) + Column]);
  end;
  Result := FleetLine(Map);
end;

function Shot: string;
var
  Cell: @SHOT@;
begin
  Cell := @UNIT@.shoot();
  if Length(Cell) = 2 then
    Result := ShotLine(Cell[Low(Cell)], Cell[Low(Cell) + 1])
  else
    Result := NoCell;
end;

procedure TellOpponentShot(const Name: string);
var
  Cell: @CELL@;
  Row, Column: Integer;
begin
  ReadCell(Name, Row, Column);
  @RESIZE@
  Cell[Low(Cell)] := Row;
  Cell[Low(Cell) + 1] := Column;
  {$if declared(onOpponentShot)}@UNIT@.onOpponentShot(Cell);{$endif}
end;

procedure Greet;
begin
  if not HasBegun then
  begin
    HasBegun := True;
    {$if declared(setParameters)}@UNIT@.setParameters(Sets);{$endif}
    {$if declared(onGameStart)}@UNIT@.onGameStart();{$endif}
  end;
  Reply('ready');
end;

procedure EndSet;
begin
  if not IsInSet then
    Exit;
  IsInSet := False;
  {$if declared(onSetEnd)}@UNIT@.onSetEnd();{$endif}
end;

procedure BeginSet(const Fields: string);
var
  Seed: QWord;
  Failed: Integer;
begin
  EndSet;
  IsContest := AreContestRules(Fields);
  if not IsContest then
    Exit;
  Val(FieldOf(Fields, 'seed'), Seed, Failed);
  if Failed = 0 then
    RandSeed := LongInt(Seed and $7FFFFFFF);
  IsInSet := True;
  {$if declared(onSetStart)}@UNIT@.onSetStart();{$endif}
end;

procedure Handle(const Command: string; Rest: string);
var
  First: string;
begin
  case Command of
    'seabattle': Greet;
    'sync': Reply('ready');
    'game': BeginSet(Rest);
    'place', 'shoot':
      if not IsContest then
        Reply('error the contest is played under russian rules only')
      else if not IsInSet or ((Command = 'shoot') and (Rest <> '1')) then
        Reply('error unknown command, or no game')
      else if Command = 'place' then
        Reply(Fleet)
      else
        Reply(Shot);
    'answer', 'enemy':
      if IsInSet then
      begin
        First := TakeWord(Rest);
        if Command = 'enemy' then
          TellOpponentShot(First)
        {$if declared(shotResult)}
        else
          @UNIT@.shotResult(ResultOf(TakeWord(Rest)))
        {$endif};
      end;
    'end': EndSet;
  else
    Reply('error unknown command, or no game');
  end;
end;

var
  Line, Command: string;
  Failed: Integer;
begin
  Val(ParamStr(1), Sets, Failed);
  while ReadCommand(Line) do
  begin
    Command := TakeWord(Line);
    if Command = 'quit' then
      Break;
    Handle(Command, Line);
    Flush(Output);
  end;
  EndSet;
  {$if declared(onGameEnd)}if HasBegun then @UNIT@.onGameEnd();{$endif}
  Leave;
end.
